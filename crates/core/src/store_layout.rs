//! Where things are in a store of fetched filings.
//!
//! One crate writes stores and another builds from them, and neither may use the other: the pipeline must not know the web. What
//! they have to agree on is these names and the keys of a filing's record, nothing else.

/// The file that makes a folder a store: `{"format": 1, "written_by": "eightk 0.1.0"}`.
pub const MARKER: &str = "eightk-store.json";

/// The version of the layout. A greater number in [`MARKER`] means a layout that is not known here.
pub const FORMAT: u64 = 1;

/// The folder of filings: in it one folder per accession number, with the document and its [`RECORD`].
pub const FILINGS: &str = "filings";

/// What is known of a filing, beside its document. Keys as those of a row of `manifest.jsonl`.
pub const RECORD: &str = "filing.json";

/// How names of things in the making begin. A number follows. Whoever reads passes them over.
pub const TEMPORARY: &str = ".tmp-";
