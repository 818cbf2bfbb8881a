"""Small models with random weights, in the layouts in which real ones are published.

Each maker writes a folder and returns what encodes it on the other side: `texts -> vectors`. Weights are larger than any training
starts with, so that attention, windows and rotations show in the result: with the usual ones a model without attention passes too.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from model2vec import StaticModel
from safetensors import safe_open
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, StaticEmbedding, Transformer
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoConfig, AutoModel, ModernBertConfig, ModernBertModel, NomicBertConfig, NomicBertModel, PreTrainedTokenizerFast
from transformers.utils import logging

logging.disable_progress_bar()

Encode = Callable[[Sequence[str]], np.ndarray]
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# RoBERTa and MPNet hold the token 1 for padding wherever it stands.
MARKS_PADDED_BY_ONE = ["[CLS]", "[PAD]", "[SEP]", "[UNK]", "[MASK]"]


def wordpiece(texts: Sequence[str], vocabulary: int = 900, marks: Sequence[str] = MARKS) -> Tokenizer:
    """As BERT's: lower case, one unknown token a word."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    # ASCII alone, so that there are unknown tokens.
    ascii_texts = [t.encode("ascii", "ignore").decode() for t in texts]
    tokenizer.train_from_iterator(ascii_texts, trainers.WordPieceTrainer(vocab_size=vocabulary, special_tokens=list(marks)))
    return marked(tokenizer)


def byte_level(texts: Sequence[str], vocabulary: int = 900) -> Tokenizer:
    """As ModernBERT's: BPE over bytes, which knows every text."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=MARKS, initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator(texts, trainer)
    return marked(tokenizer)


def unigram(texts: Sequence[str], vocabulary: int = 900) -> Tokenizer:
    """As SentencePiece's: pieces with a likelihood."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    ascii_texts = [t.encode("ascii", "ignore").decode() for t in texts]
    trainer = trainers.UnigramTrainer(vocab_size=vocabulary, special_tokens=MARKS, unk_token="[UNK]")
    tokenizer.train_from_iterator(ascii_texts, trainer)
    return marked(tokenizer)


def marked(tokenizer: Tokenizer) -> Tokenizer:
    cls, sep = (tokenizer.token_to_id(t) for t in ("[CLS]", "[SEP]"))
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", cls), ("[SEP]", sep)]
    )
    return tokenizer


def table(tokenizer: Tokenizer, dims: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((tokenizer.get_vocab_size(), dims), dtype=np.float32)


def wordllama(folder: Path) -> Encode | None:
    """A real table: that of the package `wordllama`, where it is installed, saved as model2vec saves its own."""
    found = importlib.util.find_spec("wordllama")
    if found is None or found.origin is None:
        return None
    [weights] = (Path(found.origin).parent / "weights").glob("*_256.safetensors")
    [tokens] = (Path(found.origin).parent / "tokenizers").glob("*_tokenizer_config.json")
    with safe_open(weights, "numpy") as file:
        vectors = file.get_tensor("embedding.weight")
    model = StaticModel(vectors, Tokenizer.from_file(str(tokens)), normalize=True)
    model.save_pretrained(folder)
    return lambda texts: model.encode(list(texts))


def model2vec(folder: Path, tokenizer: Tokenizer, dtype: str, normalize: bool, max_length: int | None, mapped: bool) -> Encode:
    """Model2vec's own layout; `mapped` with shared rows and a weight per token."""
    random = np.random.default_rng(5)
    vectors = table(tokenizer, 48, 3)
    if dtype == "int8":
        vectors = np.clip(np.rint(vectors * 40), -127, 127)
    weights = mapping = None
    if mapped:
        mapping = random.integers(0, 200, len(vectors))
        weights = random.uniform(0.1, 2.0, len(vectors)).astype(np.float32)
        vectors = vectors[:200]
    model = StaticModel(
        vectors.astype(dtype), tokenizer, normalize=normalize, max_length=max_length, weights=weights, token_mapping=mapping
    )
    model.save_pretrained(folder)
    return lambda texts: model.encode(list(texts))


def static_embedding(folder: Path, tokenizer: Tokenizer, nested: bool, dtype: torch.dtype) -> Encode:
    """Sentence-transformers' layout of the same thing: no limit, and unknown tokens count."""
    vectors = torch.from_numpy(table(tokenizer, 48, 4)).to(dtype)
    module = StaticEmbedding(tokenizer, embedding_weights=vectors)
    model = SentenceTransformer(modules=[module, Normalize()], device="cpu")
    model.save(str(folder))
    if nested:
        (folder / "0_StaticEmbedding").mkdir()
        for name in ("model.safetensors", "tokenizer.json"):
            (folder / name).rename(folder / "0_StaticEmbedding" / name)
        modules = json.loads((folder / "modules.json").read_text())
        modules[0]["path"] = "0_StaticEmbedding"
        (folder / "modules.json").write_text(json.dumps(modules))
    # Half-precision tables are summed in half precision there; the same numbers, widened, are what both should come to.
    wide = StaticEmbedding(tokenizer, embedding_weights=vectors.float())
    exact = SentenceTransformer(modules=[wide, Normalize()], device="cpu")
    return lambda texts: exact.encode(list(texts), show_progress_bar=False)


def randomise(model: torch.nn.Module, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        if weight.dim() == 1:
            bias = name.endswith("bias")
            weight.data = torch.randn(weight.shape, generator=generator) * 0.2 + (0.0 if bias else 1.0)
        else:
            # Queries and keys of this size make attention that is peaked but not saturated.
            weight.data = torch.randn(weight.shape, generator=generator) * (1.5 / weight.shape[-1] ** 0.5)


def save_transformer(folder: Path, model: torch.nn.Module, tokenizer: Tokenizer, limit: int, pooling: str) -> SentenceTransformer:
    inner = folder.with_name(folder.name + "-inner")
    model.save_pretrained(inner)
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token", "mask_token"), MARKS))
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=limit, **names).save_pretrained(inner)
    transformer = Transformer(str(inner), max_seq_length=limit)
    pool = Pooling(transformer.get_embedding_dimension(), pooling_mode=pooling)
    whole = SentenceTransformer(
        modules=[transformer, pool, Normalize()],
        device="cpu",
        prompts={"query": "search_query: ", "document": "search_document: "},
    )
    whole.save(str(folder))
    return whole


def kin(folder: Path, tokenizer: Tokenizer, limit: int, kind: str) -> SentenceTransformer:
    """BERT and those that differ from it in names and positions."""
    size = {"hidden_size": 48, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 64}
    if kind == "distilbert":
        size = {"dim": 48, "n_layers": 3, "n_heads": 4, "hidden_dim": 64}
    # Those that count their positions on from the padding have room for it.
    from_zero = kind in ("bert", "distilbert")
    config = AutoConfig.for_model(
        kind,
        vocab_size=tokenizer.get_vocab_size(),
        max_position_embeddings=limit if from_zero else limit + 2,
        pad_token_id=0 if from_zero else 1,
        **size,
    )
    config._attn_implementation = "eager"
    model = AutoModel.from_config(config).eval()
    randomise(model, 10)
    return save_transformer(folder, model, tokenizer, limit, "mean")


def modernbert(folder: Path, tokenizer: Tokenizer, limit: int, old_keys: bool, biases: bool = False) -> SentenceTransformer:
    """Global attention in every third layer, a window of 16 in the others. `old_keys`: the configuration as published in 2024."""
    config = ModernBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=48,
        intermediate_size=64,
        num_hidden_layers=5,
        num_attention_heads=4,
        max_position_embeddings=limit,
        local_attention=16,
        pad_token_id=0,
        bos_token_id=2,
        eos_token_id=3,
        cls_token_id=2,
        sep_token_id=3,
        attention_bias=biases,
        mlp_bias=biases,
        norm_bias=biases,
        attn_implementation="eager",
    )
    model = ModernBertModel(config).eval()
    randomise(model, 11)
    whole = save_transformer(folder, model, tokenizer, limit, "mean" if biases else "cls")
    if old_keys:
        path = folder / "config.json"
        keys = json.loads(path.read_text())
        for key in ("rope_parameters", "layer_types"):
            keys.pop(key)
        keys |= {"global_attn_every_n_layers": 3, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0}
        path.write_text(json.dumps(keys))
    return whole


def nomic(folder: Path, tokenizer: Tokenizer, limit: int, old_keys: bool, scaled: bool = False) -> SentenceTransformer:
    """Rotary positions, gated layers. `old_keys`: the configuration as published, with GPT-2's names; `scaled`: rotations that slow
    down beyond 64 tokens."""
    rope = {"rope_type": "default", "rope_theta": 1000.0}
    if scaled:
        rope = {"rope_type": "dynamic", "rope_theta": 1000.0, "factor": 2.0}
    config = NomicBertConfig(
        vocab_size=tokenizer.get_vocab_size(),
        hidden_size=48,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64 if scaled else limit,
        rope_parameters=rope,
        attn_implementation="eager",
    )
    model = NomicBertModel(config).eval()
    randomise(model, 12)
    whole = save_transformer(folder, model, tokenizer, limit, "mean")
    if old_keys:
        keys = {
            "model_type": "nomic_bert",
            "architectures": ["NomicBertModel"],
            "n_embd": 48,
            "n_layer": 3,
            "n_head": 4,
            "n_inner": 64,
            "n_positions": limit,
            "vocab_size": config.vocab_size,
            "type_vocab_size": 2,
            "layer_norm_epsilon": config.layer_norm_eps,
            "activation_function": "swiglu",
            "prenorm": False,
            "causal": False,
            "qkv_proj_bias": False,
            "mlp_fc1_bias": False,
            "mlp_fc2_bias": False,
            "rotary_emb_base": 1000,
            "rotary_emb_fraction": 1.0,
            "rotary_emb_interleaved": False,
            "rotary_emb_scale_base": None,
            "rotary_scaling_factor": 2 if scaled else None,
            "max_trained_positions": 64 if scaled else 2048,
            "pad_vocab_size_multiple": 1,
        }
        (folder / "config.json").write_text(json.dumps(keys))
    return whole
