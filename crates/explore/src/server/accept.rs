//! From accepted connections to requests, with a bound on each wait.
//!
//! hyper's own HTTP/1 connection is driven directly, as `axum::serve` knows neither a limit on how long a request may take to
//! arrive nor one on how many connections there are.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::options::Limits;
use super::stall::Stall;

/// How long to wait after a connection could not be accepted: mostly for open files to become fewer.
const AFTER_REFUSAL: Duration = Duration::from_millis(50);

/// Accepts and serves until `stop` is done, then lets open requests end.
pub(super) async fn accept(listener: TcpListener, router: Router, limits: Arc<Limits>, stop: impl Future<Output = ()>) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let (stopping, stopped) = watch::channel(false);
    let mut stop = pin!(stop);
    loop {
        let next = async {
            // Room first: connections that find none wait in the kernel's queue, where they cost nothing.
            let permit = Arc::clone(&room).acquire_owned().await;
            (permit, listener.accept().await)
        };
        tokio::select! {
            () = &mut stop => break,
            (permit, accepted) = next => match (permit, accepted) {
                (Ok(permit), Ok((stream, _))) => {
                    tokio::spawn(serve(stream, permit, router.clone(), Arc::clone(&limits), stopped.clone()));
                }
                (Err(_), _) => break,
                (_, Err(_)) => sleep(AFTER_REFUSAL).await,
            },
        }
    }
    drop(listener);
    let _ = stopping.send(true);
    // Every connection holds a permit: when all are back, all are closed.
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    let _ = timeout(limits.shutdown, room.acquire_many(all)).await;
}

/// Serves one connection until either side ends it or it has lived long enough.
async fn serve(
    stream: TcpStream,
    permit: OwnedSemaphorePermit,
    router: Router,
    limits: Arc<Limits>,
    mut stopped: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let stream = TokioIo::new(Stall::new(stream, limits.write_stall));
    let mut connection = pin!(
        http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.header_read)
            .max_buf_size(limits.head_bytes.max(8192))
            .max_headers(limits.headers)
            .half_close(false)
            .serve_connection(stream, TowerToHyperService::new(router))
    );
    // An error here is a client that went away or spoke no HTTP; hyper has answered what could be answered.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopped.wait_for(|stopped| *stopped) => {}
        () = sleep(limits.connection) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = timeout(limits.connection, connection).await;
    drop(permit);
}
