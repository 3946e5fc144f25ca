import { Icon } from '../../../ui/icons.tsx';
import { useT } from '../texts.ts';

/** Title and way out of a panel or dialog; `id` is what it is labelled by. */
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
