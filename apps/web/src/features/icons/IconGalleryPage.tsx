import { useEffect } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { copyText } from '../../lib/clipboard.ts';
import { isFiltered, useListState } from '../../lib/listState.ts';
import { Icon, loadedIcons } from '../../ui/icons.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { EmptyState } from '../../ui/states.tsx';
// The sets of some pages, so that the gallery has all icons of the product.
import '../../ui/desk-icons.tsx';
import '../../ui/player-icons.tsx';
import '../../ui/room-icons.tsx';
import './texts.ts';
import './icons.css';

const listShape = { filters: {}, sorts: ['name'] } as const;

/** All icons of the product with their names, which menu entries and apps of the start page use. */
export function IconGalleryPage() {
  const t = useTexts('icons');
  const [state, setState] = useListState(listShape);
  const title = t('title');
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  const keyword = state.keyword.trim().toLowerCase();
  const names = loadedIcons().filter((name) => name.toLowerCase().includes(keyword));
  return (
    <div className="icon-gallery">
      <header>
        <h1>{title}</h1>
        <p>{t('lead')}</p>
      </header>
      <div className="icon-gallery-bar">
        <SearchField
          keyword={state.keyword}
          onSearch={(next) => setState({ keyword: next })}
          placeholder={t('search')}
          testId="icon-search"
        />
        <span role="status" data-testid="icon-count">
          {t('count', { count: names.length })}
        </span>
      </div>
      {names.length === 0 ? (
        <EmptyState
          picture="list"
          title={t('empty')}
          {...(isFiltered(listShape, state) ? { hint: t('emptyHint') } : {})}
        />
      ) : (
        <ul className="icons">
          {names.map((name) => (
            <li key={name}>
              <button
                type="button"
                title={t('copy', { name })}
                aria-label={t('copy', { name })}
                data-testid="icon-copy"
                data-name={name}
                onClick={() => void copyText(name, () => t('copied', { name }))}
              >
                <Icon name={name} size={28} />
                <span>{name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
