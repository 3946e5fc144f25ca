import { useTexts } from '../../../lib/i18n/index.ts';
import { SearchField } from '../../../ui/SearchField.tsx';
import { SHOWN, type Shown } from './view.ts';

interface AccessFilterProps {
  shown: Shown;
  keyword: string;
  onShown: (shown: Shown) => void;
  onKeyword: (keyword: string) => void;
}

/** One filter for menus, permissions and calls. */
export function AccessFilter({ shown, keyword, onShown, onKeyword }: AccessFilterProps) {
  const t = useTexts('permissions');
  return (
    <div className="access-filter">
      <div className="access-shown" role="group" aria-label={t('access.show.label')}>
        {SHOWN.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === shown}
            data-testid={`access-show-${one}`}
            onClick={() => onShown(one)}
          >
            {t(`access.show.${one}`)}
          </button>
        ))}
      </div>
      <SearchField keyword={keyword} onSearch={onKeyword} placeholder={t('access.search')} testId="access-search" />
    </div>
  );
}
