/** The text typed into a search field, and the keyword the list shows. */
export interface Search {
  typed: string;
  /** The keyword of the list. */
  keyword: string;
  /** Requested keywords that the list does not show yet, oldest first. */
  requested: readonly string[];
}

export function newSearch(keyword: string): Search {
  return { typed: keyword, keyword, requested: [] };
}

export function requestKeyword(search: Search, keyword: string): Search {
  return { ...search, requested: [...search.requested, keyword] };
}

/**
 * The list shows another keyword. If this field requested it, the typed text stays, and earlier requests are dropped.
 * Any other keyword was set elsewhere, for example by the browser's back button, and replaces the typed text.
 */
export function keywordShown(search: Search, keyword: string): Search {
  const at = search.requested.indexOf(keyword);
  return at === -1 ? newSearch(keyword) : { ...search, keyword, requested: search.requested.slice(at + 1) };
}
