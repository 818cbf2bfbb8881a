//! Why the explorer does not start.

use std::io;
use std::net::{IpAddr, SocketAddr};

/// What keeps the server from starting or going on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExploreError {
    /// An address that other machines can reach, without the word that this is meant.
    #[error(
        "{0} can be reached from other machines, and whoever reaches it reads the whole data set. Use 127.0.0.1, or allow remote use explicitly"
    )]
    RemoteNotAllowed(IpAddr),
    /// A host name that no browser could send.
    #[error("`{0}` is no host name: write NAME or NAME:PORT, without scheme and path")]
    HostName(String),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {source}. {hint}")]
    Bind {
        /// Which address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
        /// What to do next.
        hint: &'static str,
    },
    /// The machine gives no threads or no event loop.
    #[error("cannot start the server: {0}. The machine may be out of threads or open files")]
    Runtime(io::Error),
    /// The data set cannot be walked through.
    #[error(transparent)]
    Dataset(#[from] eightk_dataset::DatasetError),
}
