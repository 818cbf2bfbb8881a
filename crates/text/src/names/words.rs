//! Words that tell nothing by themselves.
//!
//! Kept as sorted arrays and searched by halving: no table is built at start. Written down by hand rather than taken from a
//! word list, since what matters is not how common a word is but whether a company could be mistaken for it.

/// Whether a folded word says nothing about which company is meant: `first`, `national`, `systems`.
pub(super) fn is_generic(folded: &str) -> bool {
    GENERIC.binary_search(&folded).is_ok() || is_place(folded) || INDUSTRY.binary_search(&folded).is_ok()
}

/// Whether a folded word is a place that many companies are named after.
pub(super) fn is_place(folded: &str) -> bool {
    PLACES.binary_search(&folded).is_ok()
}

/// Whether a folded word is one that English prose uses anyway: `block`, `match`, `target`.
pub(super) fn is_everyday(folded: &str) -> bool {
    EVERYDAY.binary_search(&folded).is_ok()
}

/// Whether a folded word names a trade, not a company: `semiconductor`, `resorts`.
pub(super) fn is_industry(folded: &str) -> bool {
    INDUSTRY.binary_search(&folded).is_ok()
}

/// Whether a capital-letter word is an abbreviation that filings use for other things than companies.
pub(super) fn is_common_acronym(word: &str) -> bool {
    ACRONYMS.binary_search(&word).is_ok()
}

/// Whether a lower-case word after a name shows that the name stands for the company alone: `Tarwick announced`.
pub(super) fn follows_a_subject(word: &str) -> bool {
    VERBS.binary_search(&word).is_ok()
}

#[rustfmt::skip]
static GENERIC: &[&str] = &[
    "a", "advanced", "all", "allied", "alternative", "american", "americas", "an", "and", "applied", "associated",
    "atlantic", "bank", "basic", "best", "black", "blue", "british", "canadian", "capital", "central", "century",
    "certain", "chinese", "citizens", "city", "coastal", "combined", "common", "commonwealth", "community",
    "consolidated", "consumer", "consumers", "continental", "corporate", "county", "creative", "de", "dedicated",
    "digital", "direct", "diversified", "domestic", "dynamic", "early", "east", "eastern", "el", "enterprise",
    "equity", "european", "express", "farmers", "federal", "federated", "fidelity", "first", "five", "for", "four",
    "franklin", "free", "french", "full", "future", "general", "german", "global", "gold", "golden", "good",
    "government", "grand", "great", "greater", "green", "gulf", "half", "heritage", "high", "home", "imperial", "in",
    "independent", "indian", "innovative", "institutional", "integrated", "inter", "international", "interstate",
    "investors", "island", "israeli", "japanese", "key", "la", "las", "le", "liberty", "life", "lincoln", "little",
    "live", "local", "los", "madison", "main", "major", "medical", "merchants", "metro", "metropolitan", "mid",
    "middle", "mobile", "modern", "montgomery", "mutual", "my", "national", "nationwide", "natural", "net", "new",
    "next", "north", "northeast", "northern", "northwest", "of", "old", "on", "one", "open", "optimum", "original",
    "our", "overseas", "pacific", "penn", "people", "peoples", "personal", "pioneer", "premier", "premium", "prime",
    "principal", "pro", "professional", "public", "pure", "quality", "red", "regional", "reliable", "republic",
    "river", "royal", "saint", "san", "santa", "second", "security", "select", "senior", "seven", "silver", "simple",
    "sir", "six", "small", "smart", "social", "south", "southeast", "southern", "southwest", "special", "specialty",
    "st", "standard", "star", "state", "states", "sterling", "strategic", "summit", "sun", "super", "superior",
    "sustainable", "texan", "the", "third", "three", "tri", "trust", "trustees", "twin", "two", "u", "ultra", "union",
    "united", "universal", "university", "urban", "us", "valley", "value", "washington", "we", "west", "western",
    "white", "wholesale", "world", "worldwide", "young", "your",
];

#[rustfmt::skip]
static INDUSTRY: &[&str] = &[
    "acquisition", "aerospace", "air", "airlines", "airways", "apparel", "automotive", "bancorp", "bancshares",
    "banks", "beauty", "beverage", "biologics", "biopharma", "biopharmaceuticals", "biosciences", "biotech",
    "biotechnology", "biotherapeutics", "brands", "broadcasting", "business", "cable", "cannabis", "care", "chemical",
    "chemicals", "circuit", "circuits", "clothing", "coal", "commerce", "commercial", "communication",
    "communications", "companies", "company", "components", "composites", "computer", "computers", "computing",
    "construction", "container", "corporation", "data", "defense", "design", "development", "devices", "diagnostics",
    "diner", "distribution", "drug", "education", "electric", "electrical", "electronic", "electronics", "energy",
    "engineering", "enterprises", "entertainment", "environmental", "equipment", "estate", "exchange", "exploration",
    "fashion", "finance", "financial", "fitness", "food", "foods", "foundry", "freight", "fund", "funding",
    "furniture", "gaming", "gas", "genetics", "genomics", "group", "growth", "hardware", "health", "healthcare",
    "holding", "holdings", "homes", "hospital", "hospitality", "hotels", "housing", "income", "industrial",
    "industries", "information", "infrastructure", "innovations", "instruments", "insurance", "interactive",
    "internet", "investment", "investments", "laboratories", "labs", "lending", "lighting", "lights", "line", "lines",
    "logic", "logistics", "machines", "management", "manufacturing", "marine", "market", "marketing", "markets",
    "materials", "media", "medicine", "medicines", "metals", "micro", "mills", "mines", "mining", "mortgage", "motor",
    "motors", "network", "networks", "office", "oil", "optical", "optics", "paper", "partners", "parts", "payments",
    "petroleum", "pharma", "pharmaceutical", "pharmaceuticals", "pipeline", "plastics", "platforms", "plus", "power",
    "precision", "press", "products", "programs", "properties", "property", "publishing", "railroad", "realty",
    "research", "resorts", "resource", "resources", "restaurant", "restaurants", "retail", "robotics", "rubber",
    "savings", "science", "sciences", "securities", "semiconductor", "semiconductors", "service", "services",
    "shipping", "software", "solar", "solutions", "sons", "sports", "steel", "storage", "store", "stores", "studios",
    "supply", "surgical", "system", "systems", "tech", "technologies", "technology", "telecom", "telecommunications",
    "telephone", "textile", "therapeutics", "tire", "tobacco", "tools", "toys", "trading", "transport",
    "transportation", "travel", "trucking", "turbines", "utilities", "ventures", "vision", "waste", "water",
    "wireless", "works",
];

#[rustfmt::skip]
static PLACES: &[&str] = &[
    "africa", "alabama", "alaska", "america", "angeles", "arizona", "arkansas", "asia", "atlanta", "austin",
    "australia", "baltimore", "berkeley", "boston", "brazil", "brooklyn", "buffalo", "california", "canada",
    "carolina", "charleston", "charlotte", "chicago", "china", "cincinnati", "cleveland", "colorado", "columbia",
    "columbus", "connecticut", "dakota", "dallas", "delaware", "denver", "detroit", "diego", "england", "europe",
    "florida", "france", "francisco", "georgia", "germany", "hampshire", "hartford", "hawaii", "hawaiian", "houston",
    "hudson", "idaho", "illinois", "india", "indiana", "indianapolis", "iowa", "ireland", "israel", "italy", "japan",
    "jersey", "jose", "kansas", "kentucky", "kong", "korea", "london", "louis", "louisiana", "louisville", "maine",
    "manhattan", "maryland", "massachusetts", "memphis", "mexico", "miami", "michigan", "milwaukee", "minneapolis",
    "minnesota", "mississippi", "missouri", "montana", "nashville", "nebraska", "netherlands", "nevada", "ohio",
    "oklahoma", "oregon", "orlando", "paris", "pennsylvania", "philadelphia", "phoenix", "pittsburgh", "portland",
    "princeton", "providence", "raleigh", "rhode", "richmond", "rochester", "sacramento", "savannah", "scotland",
    "seattle", "singapore", "spain", "switzerland", "tampa", "tennessee", "texas", "tokyo", "toronto", "tucson",
    "tulsa", "utah", "vegas", "vermont", "virginia", "wales", "wisconsin", "wyoming", "york", "zealand",
];

#[rustfmt::skip]
static EVERYDAY: &[&str] = &[
    "ability", "able", "academy", "accelerate", "access", "achieve", "acre", "action", "active", "adapt", "address",
    "advance", "advantage", "adventure", "affirm", "agile", "agree", "agreement", "alarm", "albany", "alliance",
    "allow", "alpha", "alpine", "ambassador", "amber", "anchor", "angel", "animal", "annual", "answer", "apex",
    "apple", "april", "arch", "archer", "arena", "arrow", "art", "ascend", "ascent", "aspect", "aspen", "assembly",
    "asset", "assure", "assured", "august", "autumn", "avenue", "award", "badger", "balance", "ball", "banner", "bar",
    "barn", "baron", "base", "basin", "bath", "bay", "beach", "beacon", "bear", "bell", "benchmark", "benefit",
    "beta", "better", "beyond", "big", "bill", "bird", "blackboard", "blend", "block", "bloom", "board", "bolt",
    "bond", "book", "books", "boot", "boots", "border", "boulder", "box", "brand", "bread", "bridge", "bright",
    "bristol", "broad", "broadway", "brook", "brother", "brothers", "brown", "brush", "build", "builder", "builders",
    "building", "bull", "bumble", "cabin", "cable", "cactus", "call", "camp", "campus", "candle", "canyon", "cape",
    "car", "card", "cardinal", "carpet", "carrier", "carter", "cascade", "case", "cash", "castle", "catalyst",
    "cavalier", "cedar", "cell", "center", "chain", "chair", "challenge", "change", "charge", "chart", "charter",
    "chase", "check", "chef", "chemistry", "cherry", "chief", "child", "children", "choice", "church", "circle",
    "civil", "class", "classic", "clean", "clear", "clearwater", "click", "climb", "clinical", "clock", "close",
    "cloud", "clover", "club", "coach", "coast", "code", "coffee", "coin", "collective", "college", "color",
    "comfort", "command", "compass", "complete", "concept", "concrete", "confluence", "connect", "connection",
    "constellation", "contact", "content", "control", "cool", "copper", "copy", "coral", "core", "corner",
    "cornerstone", "cost", "cotton", "country", "courier", "cove", "crane", "credit", "creek", "crescent", "crest",
    "cross", "crown", "crystal", "cube", "culture", "cure", "current", "custom", "customer", "customers", "cyber",
    "cycle", "daily", "dairy", "dawn", "day", "deal", "dear", "december", "deep", "deer", "delivery", "delta",
    "denim", "depot", "desert", "destination", "diamond", "diesel", "discover", "discovery", "dish", "distinct",
    "dollar", "dolphin", "domain", "dome", "door", "double", "dove", "dragon", "dream", "drive", "duke", "eagle",
    "earth", "easy", "ebony", "echo", "eclipse", "edge", "edison", "effect", "elastic", "element", "elements",
    "elevate", "elite", "embark", "embrace", "emerald", "emerge", "emergent", "empire", "employees", "enable",
    "encore", "endeavor", "endurance", "engage", "engine", "enhance", "entry", "envision", "epic", "epoch", "equal",
    "era", "essential", "event", "ever", "evergreen", "every", "everyday", "evolution", "evolve", "exact", "excel",
    "expedition", "expert", "explore", "extra", "extreme", "eye", "fabric", "factory", "fair", "fairway", "faith",
    "falcon", "family", "far", "farm", "fast", "father", "feather", "field", "fields", "fifth", "film", "final",
    "fire", "fish", "fit", "flag", "flagship", "flame", "flash", "fleet", "flex", "flight", "float", "flood", "floor",
    "flow", "flower", "flowers", "fluid", "flying", "focus", "foot", "force", "forest", "forge", "form",
    "forte", "fortress", "fortune", "forum", "forward", "fossil", "foundation", "founders", "fountain", "fox",
    "frame", "freedom", "fresh", "friday", "frontier", "frost", "fuel", "fusion", "galaxy", "game", "gap", "garden",
    "gate", "gateway", "gem", "gemini", "genesis", "gentle", "genuine", "giant", "gift", "glass", "globe", "goal",
    "granite", "grape", "graph", "graphic", "gravity", "gray", "grid", "grill", "ground", "grove", "grow",
    "guarantee", "guaranty", "guard", "guardian", "guess", "guide", "guild", "hall", "hammer", "hand", "happy",
    "harbor", "harmony", "harvest", "haven", "hawk", "head", "heart", "heartland", "heat", "helix", "help", "hero",
    "hidden", "highland", "highway", "hill", "hills", "honest", "honey", "hope", "horizon", "horse", "hot", "hotel",
    "house", "hub", "human", "hunt", "hunter", "ice", "icon", "idea", "ideal", "image", "immersion", "impact",
    "impinge", "impulse", "indie", "industry", "infinity", "inhibit", "ink", "inland", "insight", "inspire",
    "instant", "insulate", "integral", "integrity", "intelligence", "intelligent", "intrepid", "intrinsic", "invest",
    "investor", "invitation", "iron", "item", "ivory", "jack", "january", "jasper", "jet", "jewel", "job", "journey",
    "joy", "july", "june", "jungle", "junior", "juniper", "just", "kernel", "keystone", "kid", "kind", "king",
    "kingdom", "kite", "knight", "knot", "labor", "ladder", "lady", "lake", "lakes", "lamp", "land", "landmark",
    "lands", "lane", "large", "laser", "last", "laurel", "lead", "leader", "leaf", "lean", "leap", "learning",
    "leather", "legacy", "legal", "legend", "lemon", "level", "leverage", "library", "lift", "light", "lighthouse",
    "lily", "limit", "link", "lion", "liquid", "list", "loan", "lock", "lodge", "long", "loop", "lotus", "love",
    "loyal", "lucid", "luck", "lucky", "lumber", "luxury", "lynx", "magic", "magnet", "magnolia", "mail", "make",
    "maker", "mammoth", "man", "maple", "marathon", "marble", "march", "mark", "marker", "martin", "mask", "mason",
    "master", "match", "matrix", "matter", "maverick", "max", "maximum", "may", "measure", "medallion", "memory",
    "mercury", "meridian", "merit", "message", "meta", "metal", "meteor", "meter", "method", "midland", "milestone",
    "milk", "mill", "million", "mind", "mineral", "mint", "minute", "mirror", "mission", "model", "momentum",
    "monarch", "monday", "money", "monitor", "month", "moon", "morning", "mother", "motion", "mount", "mountain",
    "move", "movement", "music", "myriad", "name", "natal", "nation", "native", "nature", "navigator", "neighbor",
    "nest", "nickel", "night", "noble", "noon", "notable", "nova", "november", "nurture", "oak", "oasis", "ocean",
    "october", "odyssey", "offer", "olive", "omega", "omni", "onward", "opal", "opportunity", "option", "options",
    "oracle", "orange", "orchard", "orchid", "organ", "organic", "origin", "orion", "outlook", "oval", "owl", "owner",
    "owners", "oxford", "pack", "package", "pad", "palace", "palm", "panther", "par", "paradigm", "paragon",
    "paramount", "park", "parker", "parks", "partner", "party", "pass", "passage", "patent", "path", "pathfinder",
    "pathway", "patient", "patriot", "pattern", "pave", "peak", "pear", "pearl", "pelican", "perfect", "performance",
    "perspective", "pet", "phase", "piedmont", "pilgrim", "pillar", "pilot", "pine", "pink", "pinnacle", "pivot",
    "pixel", "place", "plain", "plains", "plan", "planet", "plant", "platform", "platinum", "play", "plaza",
    "pleasant", "plug", "point", "pool", "pop", "port", "portal", "position", "positive", "post", "potential",
    "powder", "prairie", "president", "prestige", "price", "pride", "primary", "prism", "private", "probe", "process",
    "product", "profile", "profit", "program", "progress", "progressive", "project", "promise", "proof", "prospect",
    "prosper", "prosperity", "protect", "protection", "proto", "provident", "prudent", "prudential", "pulse", "pump",
    "purple", "purpose", "quaker", "quantum", "quarter", "quartz", "queen", "quest", "quick", "quiet", "rain",
    "rainbow", "ranch", "range", "ranger", "rapid", "rate", "reach", "reaction", "ready", "real", "reason", "rebel",
    "record", "recovery", "redwood", "reference", "reflect", "regal", "regency", "regent", "region", "regions",
    "relay", "reliance", "renaissance", "renew", "report", "reserve", "resolute", "resolution", "resonant",
    "response", "rest", "result", "return", "revolution", "revolve", "ribbon", "rich", "ride", "ridge", "right",
    "ring", "ripple", "rise", "rite", "road", "robust", "rock", "rocket", "rocky", "root", "roots", "rose", "round",
    "route", "ruby", "rule", "rush", "saber", "safe", "safeguard", "safety", "sage", "sail", "salt", "sand",
    "sapphire", "saturday", "save", "scale", "school", "scout", "screen", "sea", "seal", "search", "season", "seaway",
    "secure", "seed", "sentinel", "september", "sequence", "sequential", "shade", "share", "shares", "sharp", "shell",
    "shield", "shift", "ship", "shop", "shore", "short", "side", "sierra", "sight", "sign", "signal", "signature",
    "silk", "single", "sky", "skyline", "sleep", "smile", "smooth", "snap", "snow", "society", "soft", "soil", "sole",
    "solid", "solution", "sonic", "soul", "sound", "source", "space", "span", "spark", "spectrum", "speed", "sphere",
    "spin", "spirit", "splash", "sport", "spot", "spring", "sprint", "sprout", "square", "stable", "staff", "stage",
    "staples", "station", "steady", "steam", "stem", "step", "stock", "stone", "story", "strategy", "stratus",
    "stream", "street", "strength", "stride", "strive", "strong", "structure", "student", "style", "success", "sugar",
    "summer", "sunday", "sunrise", "sunshine", "support", "sure", "surf", "surge", "surprise", "swan", "sweet",
    "swift", "switch", "synergy", "table", "tandem", "tango", "target", "task", "team", "tempest", "temple", "tempo",
    "term", "terminal", "terra", "territory", "theory", "thread", "thrive", "thunder", "thursday", "tide", "tiger",
    "timber", "time", "times", "titan", "title", "today", "token", "toll", "tool", "top", "torch", "total", "touch",
    "tower", "town", "track", "trade", "tradition", "trail", "train", "transaction", "transform", "transit",
    "transition", "travelers", "treasure", "tree", "trek", "trend", "triad", "tribune", "trident", "trinity",
    "triumph", "tropical", "truck", "true", "truth", "tuesday", "turn", "turner", "turning", "turtle", "twist",
    "unified", "uniform", "unique", "unit", "unity", "universe", "up", "upland", "vail", "valor", "valve", "vanguard",
    "vast", "vector", "velocity", "venture", "vertex", "vertical", "via", "victor", "victory", "view", "viking",
    "village", "vine", "vintage", "violet", "virtual", "virtue", "vista", "vital", "vivid", "voice", "volt", "voyage",
    "wage", "walk", "wall", "warm", "warrior", "watch", "wave", "way", "wealth", "web", "wednesday", "week", "weight",
    "well", "wells", "whale", "wheel", "wheels", "whole", "wide", "wild", "will", "willow", "wind", "window", "wing",
    "winner", "winter", "wisdom", "wise", "wolf", "wood", "woodward", "word", "work", "workday", "workhorse", "year",
    "yellow", "yield", "zebra", "zenith", "zero", "zest", "zone", "zoom",
];

#[rustfmt::skip]
static ACRONYMS: &[&str] = &[
    "ADR", "ADS", "AMEX", "APB", "ARO", "ASC", "ASU", "BLA", "CAO", "CEO", "CFO", "CFR", "CIC", "CIK", "CIO", "COBRA",
    "COO", "CPA", "CPI", "CTO", "DIP", "DOJ", "EBIT", "EBITDA", "EDGAR", "EDT", "EEA", "EIN", "EPA", "EPS", "ERISA",
    "ERP", "ESG", "ESOP", "ESPP", "EST", "FASB", "FCC", "FDA", "FDIC", "FINRA", "FTC", "GAAP", "GDP", "IFRS", "INC",
    "IND", "IPO", "IRA", "IRC", "IRS", "ISO", "ITEM", "LIBOR", "LLC", "LLP", "LTD", "NASD", "NASDAQ", "NDA", "NEO",
    "NYSE", "OTC", "PCAOB", "PDF", "PLC", "PSA", "PSU", "REIT", "ROI", "RSA", "RSU", "SAB", "SAR", "SEC", "SFAS",
    "SOFR", "SPAC", "SVP", "TSR", "UCC", "URL", "USA", "USD", "VAT", "VIE", "VWAP", "WARN", "XBRL",
];

#[rustfmt::skip]
static VERBS: &[&str] = &[
    "acquired", "adopted", "agreed", "also", "amended", "announced", "announces", "anticipates", "appointed",
    "approved", "believes", "closed", "committed", "completed", "continues", "currently", "decided", "determined",
    "did", "disclosed", "does", "employs", "entered", "estimates", "expects", "filed", "furnished", "had", "has",
    "held", "incurred", "intends", "introduced", "is", "issued", "made", "may", "notified", "now", "operates", "paid",
    "plans", "posted", "previously", "provided", "provides", "received", "recorded", "released", "reported",
    "reports", "said", "sold", "stated", "terminated", "today", "was", "will", "would",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_searching() {
        for list in [GENERIC, INDUSTRY, PLACES, EVERYDAY, ACRONYMS, VERBS] {
            for pair in list.windows(2) {
                assert!(pair[0] <= pair[1], "{} before {}", pair[0], pair[1]);
            }
        }
    }

    #[test]
    fn words_are_told_apart() {
        assert!(is_generic("first") && is_generic("systems") && is_generic("texas") && !is_generic("brackwater"));
        assert!(is_everyday("block") && is_everyday("gap") && !is_everyday("tarwick"));
    }
}
