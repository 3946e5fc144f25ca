import { useTexts } from '../../../lib/i18n/index.ts';
import { SearchField } from '../../../ui/SearchField.tsx';
import { Segments } from '../../../ui/Segments.tsx';
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
      <Segments
        label={t('access.show.label')}
        values={SHOWN}
        chosen={shown}
        textOf={(one) => t(`access.show.${one}`)}
        onChoose={onShown}
        testId="access-show"
      />
      <SearchField keyword={keyword} onSearch={onKeyword} placeholder={t('access.search')} testId="access-search" />
    </div>
  );
}
