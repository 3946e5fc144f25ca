import { useState } from 'react';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Loading } from '../../ui/states.tsx';
import { DepartmentTree } from './DepartmentTree.tsx';
import { useDepartments } from './queries.ts';

interface DepartmentFilterProps {
  tenant: string;
  value: string;
  onChange: (department: string) => void;
}

/** The tree of departments beside the list; on narrow screens a button opens it. */
export function DepartmentFilter({ tenant, value, onChange }: DepartmentFilterProps) {
  const t = useTexts('users');
  const common = useTexts('common');
  const departments = useDepartments(tenant, true);
  const [open, setOpen] = useState(false);
  const content = () => {
    if (departments.data) return <DepartmentTree departments={departments.data} value={value} onChange={onChange} />;
    if (departments.isPending) return <Loading />;
    return (
      <p role="alert" className="departments-none">
        {t('departments.failed')}
        <Button kind="quiet" onClick={() => void departments.refetch()}>
          {common('retry')}
        </Button>
      </p>
    );
  };
  return (
    <div className="users-side" data-open={open}>
      <Button
        className="users-side-toggle"
        aria-expanded={open}
        data-testid="departments-toggle"
        onClick={() => setOpen(!open)}
      >
        <span>{t('departments.chosen', { name: value === '' ? t('departments.all') : value })}</span>
        <Icon name="down" size={16} />
      </Button>
      <div className="users-side-content">{content()}</div>
    </div>
  );
}
