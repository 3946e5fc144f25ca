import { Dialog } from '../../../../ui/Dialog.tsx';
import { PageHelp } from '../../../../ui/PageHelp.tsx';
import { SHORTCUTS } from '../model/shortcuts.ts';
import { useT } from '../texts.tsx';

/** The keyboard shortcuts of the desk. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  return (
    <Dialog title={t('keys.title')} testId="desk-help" onClose={onClose}>
      <dl className="desk-keys">
        {SHORTCUTS.map(({ shown, action }) => (
          <div key={action}>
            <dt>
              {shown.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${action}`)}</dd>
          </div>
        ))}
        {(['choose', 'range', 'order', 'menu'] as const).map((key) => (
          <div key={key}>
            <dt>
              {KEYS_OF_LIST[key].map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{t(`keys.${key}`)}</dd>
          </div>
        ))}
      </dl>
      <PageHelp page="desk" words />
    </Dialog>
  );
}

/** While a row has the focus. */
const KEYS_OF_LIST = {
  choose: ['↑', '↓', 'Space'],
  range: ['Shift', '↑', '↓'],
  order: ['Alt', '↑', '↓'],
  menu: ['Enter'],
} as const;
