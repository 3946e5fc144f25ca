/** What somebody types into a search field, and how far it has come. */
export interface Search {
  typed: string;
  /** The keyword as it came last. */
  keyword: string;
  /** Keywords asked for that have not come yet, oldest first. */
  asked: readonly string[];
}

export function searchFor(keyword: string): Search {
  return { typed: keyword, keyword, asked: [] };
}

export function ask(search: Search, keyword: string): Search {
  return { ...search, asked: [...search.asked, keyword] };
}

/**
 * A keyword has come. One that was asked for here changes nothing of what is typed, however late it is; those asked for
 * before it come no more. Any other was set elsewhere, as by the browser's back button, and takes the place of what is
 * typed.
 */
export function come(search: Search, keyword: string): Search {
  const at = search.asked.indexOf(keyword);
  return at === -1 ? searchFor(keyword) : { ...search, keyword, asked: search.asked.slice(at + 1) };
}
