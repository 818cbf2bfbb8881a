//! The shell of a page: head, skip link, bar, main.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::safe_text::plain;
use crate::{script, style};

/// Where the look and the script come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assets<'a> {
    /// In the page itself, under a policy that lets nothing else in: for a file that is sent around.
    Inline,
    /// As files of the same server, which sets the policy by a header.
    Linked {
        /// Address of the stylesheet.
        css: &'a str,
        /// Address of the script.
        js: &'a str,
    },
}

/// One page.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// Of the window; a stranger's text is made safe.
    pub title: &'a str,
    /// Look and script.
    pub assets: Assets<'a>,
    /// What stands above the main part: a `<header>` with the bar, or nothing.
    pub bar: Option<Markup>,
    /// The main part; it holds the only `<h1>`.
    pub main: Markup,
    /// What stands below.
    pub foot: Option<Markup>,
}

/// What a page in one file may do: dress itself and run our own script.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src 'unsafe-inline'; script-src {}; base-uri 'none'; form-action 'none'",
        script::policy_hash()
    )
}

impl Page<'_> {
    /// The page.
    pub fn markup(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    @if self.assets == Assets::Inline {
                        meta http-equiv="Content-Security-Policy" content=(policy());
                    }
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="referrer" content="no-referrer";
                    meta name="color-scheme" content="light dark";
                    title { (plain(self.title)) }
                    @match self.assets {
                        Assets::Inline => style { (PreEscaped(style::css())) },
                        Assets::Linked { css, js } => {
                            link rel="stylesheet" href=(css);
                            script src=(js) defer {}
                        },
                    }
                }
                body {
                    a.skip href="#main" { "Skip to the content" }
                    @if let Some(bar) = &self.bar { (bar) }
                    main #main tabindex="-1" { (self.main) }
                    @if let Some(foot) = &self.foot { footer { (foot) } }
                    @if self.assets == Assets::Inline { script { (PreEscaped(script::js())) } }
                }
            }
        }
    }
}

/// The bar of a site of several pages: its name, links to its parts with the present one marked, and whatever stands at its end.
pub fn bar(name: &str, home: &str, parts: &[(&str, &str)], present: Option<&str>, end: &Markup) -> Markup {
    html! {
        header.bar {
            a.name href=(home) { (plain(name)) }
            nav aria-label="Main" { ul {
                @for (href, text) in parts {
                    li { a href=(href) aria-current=[(present == Some(*href)).then_some("page")] { (text) } }
                }
            } }
            (end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_to_send_lets_nothing_in() {
        let page = Page {
            title: "</title><script>x",
            assets: Assets::Inline,
            bar: None,
            main: html! { h1 { "x" } },
            foot: None,
        };
        let html = page.markup().into_string();
        assert!(html.contains("default-src 'none'") && html.contains(script::policy_hash()));
        assert!(html.contains("<title>&lt;/title&gt;&lt;script&gt;x</title>"));
        assert!(!html.contains("src=") && html.matches("<script>").count() == 1);
        let linked =
            Page { assets: Assets::Linked { css: "/look.css", js: "/look.js" }, ..page }.markup().into_string();
        assert!(linked.contains(r#"<script src="/look.js" defer></script>"#) && !linked.contains("<style"));
    }

    #[test]
    fn the_present_part_is_marked() {
        let made = bar("real", "/", &[("/filings", "Filings"), ("/queries", "Queries")], Some("/queries"), &html! {});
        assert!(made.into_string().contains(r#"<a href="/queries" aria-current="page">Queries</a>"#));
    }
}
