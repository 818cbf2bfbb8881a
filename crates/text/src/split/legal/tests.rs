use super::*;

fn pieces(text: &str) -> Vec<&str> {
    spans(text).into_iter().map(|s| s.of(text)).collect()
}

/// One sentence however it is punctuated.
#[track_caller]
fn whole(text: &str) {
    assert_eq!(pieces(text), [text]);
}

/// Sentences parted by `|`.
#[track_caller]
fn parts(text: &str) {
    let plain = text.replace('|', "");
    let want: Vec<&str> = text.split('|').map(str::trim).collect();
    assert_eq!(pieces(&plain), want);
}

#[test]
fn numbers_belong_to_their_abbreviation() {
    whole("The release is filed as Exhibit No. 99.1 to this report.");
    whole("They stand in File Nos. 333-1 and 333-2 of the register.");
    whole("It shall comply with Sec. 409A of the Code.");
    whole("The payment is approx. $4.5 million in cash.");
    whole("See Vol. 12 and Art. IV.2 of the treaty.");
    parts("The board was asked and said No. |The plan ended.");
}

#[test]
fn names_of_companies_go_on() {
    whole("On May 1, Birch Inc. (the “Company”) sold a mill.");
    whole("Birch Corp. and Elm Ltd. merged with Oak L.P. in May.");
    whole("The Birch Companies Inc. Executive Annual Bonus Plan was approved.");
    whole("Birch International S.á.r.l. (“LuxCo”) signed the note.");
    whole("Birch Pty. Ltd. of Perth signed it.");
    whole("Birch Inc. 2021 Equity Plan awards vest.");
    whole("Hurrah! Inc. bought the mill.");
}

#[test]
fn sentences_end_in_names_of_companies() {
    parts("The mill was sold to Birch Inc. |The price was paid.");
    parts("The mill was sold to Birch, N.V. |Pursuant to the deed it closes in May.");
    parts("The mill was sold to Birch Corp. |“This plan is sound,” he said.");
    parts("The mill belongs to a friend (Birch, Inc.) |This was known.");
    parts("Sales rose in the U.S. |In Europe they fell.");
    parts("It told of this in Form 8-K. |A copy is attached as Item 404 of Regulation S-K. |No fee was paid.");
}

#[test]
fn short_forms_inside_a_sentence() {
    whole("It pays benefits, e.g. retention bonuses, and costs, i.e. rent.");
    whole("The case of Birch v. Elm was closed.");
    whole("Mr. Ames and Dr. Boyd met J. P. Cole in St. Louis.");
    whole("The U.S. Government and the U.S. Treasury agreed.");
    whole("The offer ends at 5:00 p.m. Eastern Time on Friday.");
    whole("Between Jan. 5 and Sept. 9 nothing was sold.");
    whole("Directors are Leonard A. Ames and Irvine O. Boyd, Jr. and Ann Cole.");
}

#[test]
fn citations_and_titles_of_reports() {
    whole("It asked for relief under Fed. R. Civ. P. 65 and 15 U.S.C. §§ 78n and 90 Fed. Reg. 4544.");
    whole("The case of Birch, et al. v. Elm, et al. was closed by the U.S. Senator.");
    whole("It changes Part II, Item 7. Management’s Discussion and Analysis in the report.");
    parts("The facts stand in Item 7. |The Company adds nothing.");
    whole("It signed with Birch & Co. Incorporated and Elm.");
}

#[test]
fn single_letters_that_end_a_sentence() {
    parts("Each share became a share of Class C. |The rest was cancelled.");
    parts("The form is Exhibit B. |It is attached.");
}

#[test]
fn marks_and_brackets_attach_left() {
    parts("The unit cut 40 jobs.(1) |The rest stays.");
    parts("The unit cut 40 jobs.* |The rest stays.");
    parts("They call it the “Plan.” |It begins in May.");
    parts("(It begins in May.) |It ends in June.");
    whole("Holders (i.e. as Class II. members) voted.");
}

#[test]
fn labels_stay_with_their_sentence() {
    parts("1. The agreement was signed. |2. The notes were paid.");
    whole("(a) It is impracticable to file the statements.");
    whole("Item 2.05. Costs Associated with Exit");
    parts("IV. The notes were paid. |They were due.");
}

#[test]
fn a_missing_space_is_seen() {
    parts("The charge is $3.0 million.|The plan ends in May.");
    whole("Visit www.birch.The page is down");
}

#[test]
fn lower_case_goes_on_unless_it_is_a_name() {
    whole("The plan (as defined below.) was adopted.");
    parts("The plan ended. |iBirch bought the mill.");
}
