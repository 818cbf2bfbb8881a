//! Sentences that state a fact, and sentences that nearly do.

/// An amount of charges that the filer expects.
pub(crate) const CHARGES: [&str; 22] = [
    "{subj} expect{s} to incur {pretax}{kind} charges of {approx} {amount} in connection with the {plan}, most of them {when}.",
    "{subj} estimate{s} that {kind} costs under the {plan} will come to {approx} {amount}, and that they will be recognized {when}.",
    "As a result of the {plan}, {subj} anticipate{s} recording {pretax}{kind} charges of {approx} {amount} {when}.",
    "In connection with the {plan}, {subj} currently estimate{s} {pretax}{kind} charges in the range of {range}, the bulk of them for employee severance.",
    "{subj} will take a {pretax}charge of {approx} {amount} {when} to cover severance, contract terminations and the closing of the {place} {site}.",
    "{subj} now expect{s} to record {kind} charges of {range} for the {plan}, nearly all of which relate to people who leave.",
    "Under the {plan}, {subj} project{s} one-time termination benefits and facility closure costs totaling {approx} {amount}.",
    "To carry out the {plan}, {subj} expect{s} to record aggregate exit and severance costs of {range}, all of it {when}.",
    "{subj} believe{s} that {it} will incur {kind} expenses of up to {amount} in all, the last of them in {month}, for {its} {plan}.",
    "{subj} plan{s} to book a restructuring provision of {approx} {amount} {when}, mainly for severance pay and notice periods.",
    "When the {plan} is complete, {subj} expect{s} {its} cumulative severance and exit costs to total {approx} {amount}.",
    "The {plan} is expected to lead to {pretax}{kind} charges to {obj} of {approx} {amount} {when}.",
    "For the closing of the {place} {site}, {subj} anticipate{s} {kind} charges of {range}, to be recorded {when}.",
    "{subj} foresee{s} wind-down expenses of {approx} {amount} at the {place} {site}, chiefly severance and lease termination.",
    "{subj} forecast{s} {pretax}restructuring charges totaling {approx} {amount}, which {it} expect{s} to recognize by {month}.",
    "{subj} intend{s} to record severance and other exit charges of {range} {when} for the actions described above.",
    "Under the {plan}, {subj} expect{s} that severance, outplacement and relocation costs will amount to {approx} {amount}.",
    "Because of the {plan}, {subj} will recognize a {kind} charge of {approx} {amount} {when}.",
    "{subj} believe{s} that termination benefits and facility closure costs under the {plan} will total {approx} {amount}.",
    "{subj} expect{s} to incur charges of {approx} {amount} {when} in connection with {its} workforce reduction plan.",
    "{subj} expect{s} to incur {approx} {amount} in connection with the {plan}, primarily for severance and notice pay.",
    "{subj} put{s} the cost of closing the {place} {site} at {approx} {amount}, to be recorded {when}.",
];

/// How many people a plan affects.
pub(crate) const WORKFORCE: [&str; 22] = [
    "{subj} will reduce {its} workforce by {approx} {count} employees, or {percent} of the total.",
    "The {plan} will eliminate {approx} {count} positions across {poss} operations, chiefly at the {place} {site}.",
    "{approx} {count} of {poss} employees, most of them in {place}, will lose their jobs under the {plan}.",
    "{subj} intend{s} to lay off {approx} {count} {people} at {its} {place} {site} by the end of {month}.",
    "As part of the {plan}, {subj} {is} cutting {its} global headcount by {approx} {percent}.",
    "{subj} {has} notified {approx} {count} {people}, about {percent} of {its} workforce, that their positions are being eliminated.",
    "{subj} will part with {approx} {count} {people} in {place} and close {its} {site} there.",
    "The reduction will affect {approx} {percent} of {poss} workforce, beginning in {place}.",
    "Under the {plan}, {subj} expect{s} to terminate the employment of {approx} {count} {people}, or {percent} of {its} staff.",
    "{subj} expect{s} the {plan} to result in the elimination of {approx} {count} jobs by {month}.",
    "The closing of the {place} {site} will affect {approx} {count} of {poss} {people}, all of whom have been told.",
    "{subj} decided to eliminate {approx} {percent} of {its} positions, mostly in sales and administration.",
    "With the {plan}, {subj} will let go {approx} {count} {people}, which is {percent} of {its} staff.",
    "{subj} announced to {its} staff that {approx} {count} roles will be eliminated before {month}.",
    "Reductions in force at the {place} {site} will affect {approx} {count} of {poss} {people}.",
    "{subj} {is} reducing {its} workforce by {approx} {percent}, starting with the {place} {site}.",
    "The {plan} calls for a reduction of {poss} workforce by {approx} {count} {people} through layoffs and early retirement.",
    "In all, {subj} will dismiss {approx} {count} {people} at the {place} {site} under the {plan}.",
    "The reduction will affect {approx} {percent} of {poss} full-time employees, beginning in {month}.",
    "{approx} {count} {people} of {poss} {place} {site} will be dismissed under the {plan}.",
    "Under the {plan}, {poss} headcount is to fall by {approx} {percent} before {month}.",
    "{subj} will abolish {approx} {count} posts at {its} {place} {site} and tell those affected in person.",
];

/// Sentences that are about the same things and state neither fact. They name nobody.
pub(crate) const NEAR_MISSES: [&str; 14] = [
    "{subj} expect{s} the {plan} to save {approx} {amount} a year from {year} on.",
    "Annual savings from the {plan} are estimated at {approx} {amount} once it has been carried out.",
    "Of these charges, {subj} believe{s} that {approx} {small} will lead to cash outlays.",
    "During the prior year {subj} recorded restructuring charges of {amount} for another program.",
    "{subj} {is} unable to estimate the amount or range of amounts of other exit costs at this time.",
    "{subj} do{es} not expect to incur material charges from the closing of the {place} sales office.",
    "{subj} will close {count} stores and keep its distribution network as it stands.",
    "After the move {subj} will continue to employ {approx} {count} {people} in {place}.",
    "{subj} lease{s} {count} square feet of office space in {place}, which it does not plan to give up.",
    "Cash payments for leases in {place} will be made through {month} and are not part of the plan.",
    "{subj} paid {amount} for the assets of a supplier in {place} during the prior year.",
    "The board reviewed {poss} footprint several times before it chose the {place} {site}.",
    "{subj} maintain{s} its outlook for revenue of {amount} in the coming year.",
    "Talks with the works council in {place} have begun and will take some months.",
];

/// Whether the pattern can stand first: it does not lean on a sentence before it.
pub(crate) fn stands_first(pattern: &str) -> bool {
    !pattern.starts_with("Of these") && !pattern.contains("described above") && !pattern.starts_with("After the move")
}
