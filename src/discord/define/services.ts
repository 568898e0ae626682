/** What commands may ask for in `needs`. The program that composes the features adds each of them here. */
// oxlint-disable-next-line typescript/no-empty-interface -- filled where the features are known
export interface Services {}
