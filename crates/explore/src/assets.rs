//! The files that pages load: one style sheet, one script, one icon, all inside the binary.
//!
//! Each is named by its content, so that a browser may keep it for ever and still never shows an old one.

use std::fmt::Write;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::pages::failure;

/// A file in the binary.
pub(crate) struct Asset {
    /// `/assets/{stem}-{hash}.{extension}`.
    pub(crate) path: String,
    kind: &'static str,
    content: String,
}

impl Asset {
    fn new(stem: &str, extension: &str, kind: &'static str, content: String) -> Self {
        let mut path = format!("/assets/{stem}-");
        for byte in Sha256::digest(content.as_bytes()).iter().take(8) {
            // Writing to a string cannot fail.
            let _ = write!(path, "{byte:02x}");
        }
        path.push('.');
        path.push_str(extension);
        Self { path, kind, content }
    }
}

/// Look of all pages.
pub(crate) static STYLE: LazyLock<Asset> =
    LazyLock::new(|| Asset::new("style", "css", "text/css; charset=utf-8", eightk_report::style::css().to_owned()));

/// Sorting, filtering and opening; every page is whole without it.
pub(crate) static SCRIPT: LazyLock<Asset> = LazyLock::new(|| {
    Asset::new("script", "js", "text/javascript; charset=utf-8", eightk_report::script::js().to_owned())
});

/// A gold mark among others.
pub(crate) static ICON: LazyLock<Asset> = LazyLock::new(|| {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 16 16\"><rect width=\"16\" height=\"16\" rx=\"3\" \
               fill=\"#14602f\"/><path d=\"M3 4h10M3 8h10M3 12h6\" stroke=\"#fff\" stroke-width=\"2\"/></svg>";
    Asset::new("icon", "svg", "image/svg+xml", svg.to_owned())
});

/// Answers for one of them. The name is compared, never made a path of.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    let all = [&*STYLE, &*SCRIPT, &*ICON];
    let Some(found) = all.into_iter().find(|a| a.path.strip_prefix("/assets/") == Some(name.as_str())) else {
        return failure::not_found("file");
    };
    let keep = HeaderValue::from_static("public, max-age=31536000, immutable");
    let kind = HeaderValue::from_static(found.kind);
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, keep)], found.content.as_str()).into_response()
}
