//! What a command line says about encoding.

use std::sync::Arc;

use eightk_remote::Budget;
use eightk_vectors::Cache;

use crate::cache_folder::CacheFolder;
use crate::failure::Outcome;

/// Options of every command that encodes.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct EncodingArgs {
    #[command(flatten)]
    cache: CacheFolder,
    /// Keep no vectors, and use none that were kept.
    #[arg(long, conflicts_with = "given")]
    no_cache: bool,
    #[command(flatten)]
    budget: BudgetArgs,
}

impl EncodingArgs {
    /// Where vectors stay.
    pub(crate) fn cache(&self) -> Outcome<Option<Cache>> {
        Ok(if self.no_cache { None } else { Some(Cache::open(self.cache.path()?)) })
    }

    /// What may be spent.
    pub(crate) fn budget(&self) -> Arc<Budget> {
        self.budget.budget()
    }
}

/// What may be spent on services.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct BudgetArgs {
    /// Most requests to embedding and reranking services; what needs more fails, and what was made before is not lost.
    #[arg(long, value_name = "N")]
    max_requests: Option<u64>,
    /// Most tokens sent to such services.
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
}

impl BudgetArgs {
    /// As the command line says.
    pub(crate) fn budget(&self) -> Arc<Budget> {
        Arc::new(Budget::new(self.max_requests, self.max_tokens))
    }
}
