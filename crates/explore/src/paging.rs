//! Long lists, a page at a time.

use maud::{Markup, html};

use crate::link;

/// Where one is in a list of `total`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paging {
    pub(crate) total: usize,
    pub(crate) size: usize,
    /// From 1; never past the last.
    pub(crate) page: usize,
}

impl Paging {
    /// The page asked for, or the last where that lies past it.
    pub(crate) fn new(total: usize, size: usize, page: usize) -> Self {
        let size = size.max(1);
        Self { total, size, page: page.clamp(1, total.div_ceil(size).max(1)) }
    }

    /// How many pages there are, at least one.
    fn pages(self) -> usize {
        self.total.div_ceil(self.size).max(1)
    }

    /// Items before this page.
    pub(crate) fn skip(self) -> usize {
        (self.page - 1) * self.size
    }

    /// The items of this page.
    pub(crate) fn slice<T>(self, items: &[T]) -> &[T] {
        let from = self.skip().min(items.len());
        items.get(from..items.len().min(from + self.size)).unwrap_or_default()
    }

    /// `21 to 40 of 694`.
    pub(crate) fn words(self) -> String {
        let n = eightk_runs::thousands;
        match self.total {
            0 => "none".to_owned(),
            total if total <= self.size => format!("all {}", n(total)),
            total => {
                format!("{} to {} of {}", n(self.skip() + 1), n(total.min(self.skip() + self.size)), n(total))
            }
        }
    }

    /// Links to the first, the last and those around, above and below what they page through; nothing where there is one page.
    pub(crate) fn around(self, path: &str, pairs: &[(&str, &str)], content: &Markup) -> Markup {
        html! {
            (self.links("Pages, above", path, pairs))
            (content)
            (self.links("Pages, below", path, pairs))
        }
    }

    fn links(self, label: &str, path: &str, pairs: &[(&str, &str)]) -> Markup {
        let href = |page: usize| {
            let number = if page == 1 { String::new() } else { page.to_string() };
            let mut all = pairs.to_vec();
            all.push(("page", &number));
            link::with_query(path, &all)
        };
        let last = self.pages();
        let mut shown: Vec<usize> = [1, last].into_iter().chain(self.page.saturating_sub(2)..=self.page + 2).collect();
        shown.retain(|p| (1..=last).contains(p));
        shown.sort_unstable();
        shown.dedup();
        html! {
            @if last > 1 {
                nav.pages aria-label=(label) {
                    @if self.page > 1 { a href=(href(self.page - 1)) rel="prev" { "Previous" } }
                    @for (i, page) in shown.iter().enumerate() {
                        @if i > 0 && shown.get(i - 1).is_some_and(|before| before + 1 < *page) { span.gap { "…" } }
                        @if *page == self.page { span aria-current="page" { (eightk_runs::thousands(*page)) } }
                        @else { a href=(href(*page)) aria-label={ "Page " (page) } { (eightk_runs::thousands(*page)) } }
                    }
                    @if self.page < last { a href=(href(self.page + 1)) rel="next" { "Next" } }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_on_one_page() {
        let items: Vec<usize> = (0..45).collect();
        let pages = (1..=3).flat_map(|p| Paging::new(45, 20, p).slice(&items).to_vec());
        assert_eq!(pages.collect::<Vec<_>>(), items);
        assert_eq!(Paging::new(45, 20, 99).page, 3);
        assert_eq!(Paging::new(45, 20, 3).words(), "41 to 45 of 45");
        assert_eq!(Paging::new(0, 20, 1).slice(&items[..0]), [0usize; 0]);
        assert_eq!(Paging::new(0, 20, 7).words(), "none");
    }

    #[test]
    fn links_lead_to_the_ends_and_the_neighbours() {
        let html = Paging::new(2000, 20, 50).links("Pages", "/filings", &[("q", "a&b"), ("sort", "")]).into_string();
        for href in ["q=a%26b\"", "&amp;page=49\"", "&amp;page=51\"", "&amp;page=100\""] {
            assert!(html.contains(href), "{href}: {html}");
        }
        assert_eq!(html.matches("<a ").count(), 8);
        assert!(Paging::new(20, 20, 1).links("Pages", "/x", &[]).into_string().is_empty());
    }
}
