//! The server: bound first, so that its address is known, then run until told to stop.
//!
//! It owns its threads and event loop; whoever calls it stays synchronous.

mod accept;
pub(crate) mod guard;
mod hosts;
pub(crate) mod options;
mod stall;

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use crate::explorer::Explorer;
use crate::site::Site;
use crate::{ExploreError, routes};
use guard::Rules;
use hosts::Hosts;
pub use options::{Limits, ServerOptions};

/// Blocking work that outlives the server is left behind after this.
const LEAVE: Duration = Duration::from_secs(1);

/// A server that has its address but does not answer yet.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
    rules: Rules,
}

/// Takes the address.
///
/// # Errors
/// [`ExploreError::RemoteNotAllowed`], [`ExploreError::HostName`], [`ExploreError::Bind`].
pub fn bind(options: ServerOptions) -> Result<Bound, ExploreError> {
    let remote = !options.address.ip().is_loopback();
    if remote && !options.allow_remote {
        return Err(ExploreError::RemoteNotAllowed(options.address.ip()));
    }
    let fail = |source: std::io::Error| {
        let hint = match source.kind() {
            std::io::ErrorKind::AddrInUse => "Another program has this port: choose another, or 0 for any free one",
            std::io::ErrorKind::PermissionDenied => "Ports below 1024 are the system's: choose a higher one",
            _ => "Choose another address",
        };
        ExploreError::Bind { address: options.address, source, hint }
    };
    let listener = TcpListener::bind(options.address).map_err(fail)?;
    listener.set_nonblocking(true).map_err(fail)?;
    let address = listener.local_addr().map_err(fail)?;
    let hosts = Hosts::new(address.port(), remote, &options.allowed_hosts)?;
    Ok(Bound { listener, address, rules: Rules { hosts, limits: Arc::new(options.limits) } })
}

impl Bound {
    /// The address with the port that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to open in a browser on this machine.
    pub fn url(&self) -> String {
        let ip = self.address.ip();
        if ip.is_unspecified() {
            format!("http://localhost:{}/", self.address.port())
        } else {
            format!("http://{}/", self.address)
        }
    }

    /// What to tell whoever starts a server that other machines can reach; `None` where they cannot.
    pub fn warning(&self) -> Option<String> {
        let ip = self.address.ip();
        (!ip.is_loopback()).then(|| {
            format!(
                "other machines can reach this server at {ip}, port {}: whoever does reads the whole data set and asks its \
                 systems, unencrypted and without a password",
                self.address.port()
            )
        })
    }

    /// Answers until `stop` is done. Open requests get a moment to end.
    ///
    /// # Errors
    /// [`ExploreError::Runtime`] where the machine gives no threads.
    pub fn serve(self, explorer: Explorer, stop: impl Future<Output = ()> + Send) -> Result<(), ExploreError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .thread_name("explore")
            .enable_io()
            .enable_time()
            .build()
            .map_err(ExploreError::Runtime)?;
        let limits = Arc::clone(&self.rules.limits);
        let site = Arc::new(Site::new(explorer, &limits));
        let warmed = Arc::clone(&site);
        runtime.spawn_blocking(move || warmed.warm());
        let router = routes::router(site, Arc::new(self.rules));
        let listener = self.listener;
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener).map_err(ExploreError::Runtime)?;
            accept::accept(listener, router, limits, stop).await;
            Ok(())
        });
        runtime.shutdown_timeout(LEAVE);
        served
    }
}
