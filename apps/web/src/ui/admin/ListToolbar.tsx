import type { ReactNode } from 'react';
import { SearchField } from '../SearchField.tsx';
import './admin.css';

interface ListToolbarProps {
  keyword: string;
  onSearch: (keyword: string) => void;
  /** What the search covers. */
  placeholder: string;
  /** Filters: usually FilterSelect. */
  children?: ReactNode;
}

/** Search and filters of a list. */
export function ListToolbar({ keyword, onSearch, placeholder, children }: ListToolbarProps) {
  return (
    <div className="list-toolbar">
      <SearchField keyword={keyword} onSearch={onSearch} placeholder={placeholder} testId="list-search" />
      {children}
    </div>
  );
}
