//! Tables as CSV files, made while they are read.
//!
//! Rows are written by a thread that may block on the disk and handed over in blocks of some kilobytes, a few at a time: a table of a million rows
//! takes no more memory than a small one, and a client that goes away ends the work at the next block.

pub(crate) mod csv;
mod tables;

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

pub(crate) use csv::Cell;
pub(crate) use tables::{OFFERED, by_name, of_filing, of_query, of_search, offered};

/// Bytes after which a block is handed over.
const BLOCK: usize = 64 * 1024;

/// Blocks under way at a time.
const AHEAD: usize = 4;

/// Where rows go.
pub(crate) struct Rows {
    block: String,
    out: mpsc::Sender<Result<Bytes, Failed>>,
}

/// The client went away, or the table cannot be read on.
#[derive(Debug, thiserror::Error)]
#[error("the table could not be read to its end")]
pub(crate) struct Failed;

impl Rows {
    /// Adds a row.
    pub(crate) fn push(&mut self, cells: &[Cell<'_>]) -> Result<(), Failed> {
        csv::push_row(&mut self.block, cells);
        if self.block.len() >= BLOCK { self.hand_over() } else { Ok(()) }
    }

    fn hand_over(&mut self) -> Result<(), Failed> {
        let block = std::mem::take(&mut self.block);
        self.out.blocking_send(Ok(block.into())).map_err(|_| Failed)
    }
}

/// An answer whose rows `write` makes on a thread of its own. The permit is held until the last row is written.
pub(crate) fn stream(
    name: &str,
    permit: OwnedSemaphorePermit,
    write: impl FnOnce(&mut Rows) -> Result<(), Failed> + Send + 'static,
) -> Response {
    let (out, blocks) = mpsc::channel(AHEAD);
    tokio::task::spawn_blocking(move || {
        let mut rows = Rows { block: String::with_capacity(BLOCK + 4096), out };
        let written = write(&mut rows).and_then(|()| rows.hand_over());
        if written.is_err() {
            // Ends the connection before the end of the body, so that half a table is not taken for a whole one.
            let _ = rows.out.blocking_send(Err(Failed));
        }
        drop(permit);
    });
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8; header=present".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")),
    ];
    (headers, Body::from_stream(Blocks(blocks))).into_response()
}

struct Blocks(mpsc::Receiver<Result<Bytes, Failed>>);

impl Stream for Blocks {
    type Item = Result<Bytes, Failed>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.poll_recv(context)
    }
}
