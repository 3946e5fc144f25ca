import { useTexts } from '../../lib/i18n/index.ts';
import './texts.ts';
import './admin.css';

export type Status = 'enabled' | 'invited' | 'disabled' | 'deleted';
const CLASSES: Record<Status, string> = {
  enabled: 'status-mark',
  invited: 'status-mark status-mark-invited',
  disabled: 'status-mark status-mark-off',
  deleted: 'status-mark status-mark-gone',
};

/** Shows whether an account or a tenant is enabled, invited, disabled or deleted, as text. */
export function StatusMark({ status }: { status: Status }) {
  const t = useTexts('admin');
  return <span className={CLASSES[status]}>{t(`status.${status}`)}</span>;
}
