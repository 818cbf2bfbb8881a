"""Late chunking with any mean-pooling transformers model: --system "cmd:python3 late_chunking_encoder.py MODEL,view=filing".

The whole context goes through the model once; a chunk is the mean of the states of the tokens that overlap its span. What does
not fit the model is cut off, and `seen` says so; a chunk that lies behind the cut is encoded by itself, and has seen nothing else.
"""
import json, sys
import torch
from transformers import AutoModel, AutoTokenizer

tokenizer, model = AutoTokenizer.from_pretrained(sys.argv[1]), AutoModel.from_pretrained(sys.argv[1]).eval()
most = min(tokenizer.model_max_length, model.config.max_position_embeddings)

def encode(text, spans):
    tokens = tokenizer(text, truncation=True, max_length=most, return_offsets_mapping=True, return_tensors="pt")
    offsets = tokens.pop("offset_mapping")[0].tolist()
    with torch.inference_mode():
        states = model(**tokens).last_hidden_state[0]
    inside = [[i for i, (a, b) in enumerate(offsets) if a < b and a < end and start < b] for start, end in spans]
    cut = max(end for _, end in offsets)
    return [states[ids].mean(0) if ids else None for ids in inside], cut

for line in sys.stdin:
    request = json.loads(line)
    texts = request["chunks"] if request["kind"] == "filing" else request["queries"]
    context = request.get("context")
    vectors, cut = encode(context["text"], context["spans"]) if context else ([None] * len(texts), 0)
    seen = [None if vector is None else [0, cut] for vector in vectors]
    truncated = [vector is not None and end > cut for vector, (_, end) in zip(vectors, context["spans"])] if context else None
    for i, text in enumerate(texts):
        if vectors[i] is None:
            alone, _ = encode(text, [[0, len(text)]])
            vectors[i] = alone[0]
            seen[i] = context and context["spans"][i]
    vectors = [torch.nn.functional.normalize(vector, dim=0).tolist() for vector in vectors]
    print(json.dumps({"vectors": vectors, "seen": seen, "truncated": truncated}), flush=True)
