import { useEffect, useEffectEvent, useState } from 'react';
import { useTexts } from '../lib/i18n/index.ts';
import { Icon } from './icons.tsx';
import { IconButton } from './IconButton.tsx';
import { keywordShown, newSearch, requestKeyword } from './searchState.ts';
import './searchField.css';

/** Typing pause before the search runs; ms. */
const SEARCH_DELAY = 300;

interface SearchFieldProps {
  keyword: string;
  onSearch: (keyword: string) => void;
  /** What the search covers. */
  placeholder: string;
  testId: string;
}

/** Searches after a pause in typing. */
export function SearchField({ keyword, onSearch, placeholder, testId }: SearchFieldProps) {
  const t = useTexts('common');
  const [search, setSearch] = useState(() => newSearch(keyword));
  if (search.keyword !== keyword) setSearch(keywordShown(search, keyword));
  const { typed } = search;
  const type = (text: string) => setSearch((now) => ({ ...now, typed: text }));

  const run = useEffectEvent((wanted: string) => {
    setSearch((now) => requestKeyword(now, wanted));
    onSearch(wanted);
  });
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === keyword) return undefined;
    const timer = setTimeout(() => run(wanted), SEARCH_DELAY);
    return () => clearTimeout(timer);
  }, [typed, keyword]);

  return (
    <div className="search-field" role="search" aria-label={placeholder}>
      <Icon name="search" />
      <input
        type="search"
        value={typed}
        maxLength={100}
        placeholder={placeholder}
        aria-label={placeholder}
        data-testid={testId}
        onChange={(event) => type(event.target.value)}
      />
      {typed !== '' && <IconButton icon="close" label={t('searchClear')} onClick={() => type('')} />}
    </div>
  );
}
