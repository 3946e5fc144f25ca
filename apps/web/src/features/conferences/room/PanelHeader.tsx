import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

/** Title and close button of a panel or dialog; `id` is used for aria-labelledby. */
export function PanelHeader({ id, title, onClose }: { id: string; title: string; onClose: () => void }) {
  const t = useT();
  return (
    <header className="panel-header">
      <h2 id={id}>{title}</h2>
      <button type="button" className="room-icon-button" aria-label={t('close')} onClick={onClose}>
        <Icon name="close" size={20} />
      </button>
    </header>
  );
}
