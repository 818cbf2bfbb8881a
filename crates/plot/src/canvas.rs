//! The SVG itself: elements appended to a string, everything foreign escaped here and nowhere else.
//!
//! Text sizes and anchors are attributes, not style: they are geometry, which a page must not change, and a viewer that knows no
//! style sheets still sets the text where it has room. Paths use absolute coordinates alone.

use std::fmt::Write as _;

use crate::number::coordinate as n;
use crate::parts::{Labels, Theme};
use crate::style::STANDALONE;
use crate::text::{clean, shortened};

/// Size of names and notes.
pub(crate) const NAME: f64 = 13.0;
/// Size of ticks and axis names.
pub(crate) const SMALL: f64 = 12.0;
/// Size of a visible title.
const TITLE: f64 = 15.0;
/// Width of a chart that is not made wider by what it holds.
pub(crate) const WIDTH: f64 = 760.0;

/// Which end of a text its place is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// A drawing under way.
pub(crate) struct Canvas<'a> {
    labels: &'a Labels,
    theme: Theme,
    body: String,
}

impl<'a> Canvas<'a> {
    pub(crate) fn new(labels: &'a Labels, theme: Theme) -> Self {
        Self { labels, theme, body: String::new() }
    }

    /// Where the chart may begin, below a visible title.
    pub(crate) fn top(&self) -> f64 {
        if self.titled() { 38.0 } else { 6.0 }
    }

    fn titled(&self) -> bool {
        self.theme == Theme::Standalone && !clean(&self.labels.title).is_empty()
    }

    /// Opens a group; `title` is what it is called.
    pub(crate) fn open(&mut self, class: &str, title: &str) {
        let _ = write!(self.body, "<g class=\"{class}\">");
        self.title(title);
    }

    pub(crate) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    fn title(&mut self, title: &str) {
        let title = clean(title);
        if !title.is_empty() {
            let _ = write!(self.body, "<title>{}</title>", escaped(&title));
        }
    }

    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let _ = write!(
            self.body,
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            n(from.0),
            n(from.1),
            n(to.0),
            n(to.1)
        );
    }

    pub(crate) fn path(&mut self, class: &str, data: &str, title: &str) {
        self.element(&format!("path class=\"{class}\" d=\"{data}\""), "path", title);
    }

    pub(crate) fn circle(&mut self, class: &str, at: (f64, f64), radius: f64, title: &str) {
        let element = format!("circle class=\"{class}\" cx=\"{}\" cy=\"{}\" r=\"{}\"", n(at.0), n(at.1), n(radius));
        self.element(&element, "circle", title);
    }

    pub(crate) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), title: &str) {
        let element = format!(
            "rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
            n(at.0),
            n(at.1),
            n(size.0.max(0.0)),
            n(size.1.max(0.0))
        );
        self.element(&element, "rect", title);
    }

    fn element(&mut self, open: &str, name: &str, title: &str) {
        if title.is_empty() {
            let _ = write!(self.body, "<{open}/>");
        } else {
            let _ = write!(self.body, "<{open}>");
            self.title(title);
            let _ = write!(self.body, "</{name}>");
        }
    }

    /// Text with its baseline at `at`, shortened to `room`; the whole of what was shortened becomes its title.
    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, size: f64, room: f64, text: &str) {
        self.turned(class, at, anchor, size, room, text, "");
    }

    /// The same, rising to the right at 45°.
    pub(crate) fn rising(&mut self, class: &str, at: (f64, f64), size: f64, room: f64, text: &str) {
        let turn = format!(" transform=\"rotate(-45 {} {})\"", n(at.0), n(at.1));
        self.turned(class, at, Anchor::Start, size, room, text, &turn);
    }

    #[expect(clippy::too_many_arguments, reason = "private; its two callers name them")]
    fn turned(&mut self, class: &str, at: (f64, f64), anchor: Anchor, size: f64, room: f64, text: &str, turn: &str) {
        let short = shortened(text, size, room);
        if short.is_empty() {
            return;
        }
        let anchor = match anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let (x, y, size) = (n(at.0), n(at.1), n(size));
        let _ = write!(self.body, "<text{class} x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{turn}>");
        if clean(text) != short {
            self.title(text);
        }
        let _ = write!(self.body, "{}</text>", escaped(&short));
    }

    /// The words for a chart without anything to draw.
    pub(crate) fn no_data(&mut self, at: (f64, f64)) {
        self.text("quiet", at, Anchor::Middle, NAME, WIDTH, "no data");
    }

    /// The whole drawing.
    pub(crate) fn finish(mut self, width: f64, height: f64, id: &str) -> String {
        let id: String =
            id.chars().map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' }).collect();
        // An id must not begin with a digit where style sheets are to find it.
        let id = if id.starts_with(|c: char| c.is_ascii_alphabetic()) { id } else { format!("plot-{id}") };
        let (title, description) = (clean(&self.labels.title), clean(&self.labels.description));
        let title = if title.is_empty() { "Chart".to_owned() } else { title };
        let body = std::mem::take(&mut self.body);
        let heading = if self.titled() {
            self.text("head", (12.0, 24.0), Anchor::Start, TITLE, width - 24.0, &title);
            std::mem::take(&mut self.body)
        } else {
            String::new()
        };
        let (width, height) = (n(width.ceil()), n(height.ceil()));
        let wide = if width.parse::<f64>().is_ok_and(|w| w > WIDTH) { " wide" } else { "" };
        let (size, style) = match self.theme {
            Theme::Page => (String::new(), String::new()),
            Theme::Standalone => (
                format!(" width=\"{width}\" height=\"{height}\""),
                format!(
                    "<style>{STANDALONE}</style>\n<rect class=\"ground\" x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\"/>\n"
                ),
            ),
        };
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot{wide}\"{size} viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\">\n<title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{}</desc>\n\
             {style}{heading}{body}</svg>\n",
            escaped(&title),
            escaped(&description),
        )
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
