"""Any sentence-transformers model for eightk: --system "cmd:python3 sentence_transformers_encoder.py MODEL"."""
import json, sys
from sentence_transformers import SentenceTransformer

model = SentenceTransformer(sys.argv[1])
for line in sys.stdin:
    request = json.loads(line)
    texts = request["chunks"] if request["kind"] == "filing" else request["queries"]
    vectors = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    print(json.dumps({"vectors": vectors.tolist()}), flush=True)
