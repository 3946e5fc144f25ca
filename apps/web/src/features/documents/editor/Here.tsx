import { useSyncExternalStore } from 'react';
import { session } from '../../../lib/browser.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { colorOf, type People } from './people.ts';

/** So many names are shown; the others are counted. */
const SHOWN = 5;

/** Who else has the document open, each once, in the colour of the cursor. */
export function Here({ people }: { people: People }) {
  const t = useTexts('documents');
  const present = useSyncExternalStore(people.subscribe, people.present);
  const names = new Map(present.map(({ userId, name }) => [userId, name]));
  if (session.user) names.delete(session.user.id);
  const all = [...names].toSorted(([, a], [, b]) => a.localeCompare(b));
  if (all.length === 0) return null;
  return (
    <ul className="document-here" aria-label={t('here.label')} data-testid="document-here">
      {all.slice(0, SHOWN).map(([userId, name]) => (
        <li key={userId} className={`document-person-${colorOf(userId)}`} title={name}>
          <span>{name}</span>
        </li>
      ))}
      {all.length > SHOWN && (
        <li
          className="document-here-more"
          title={all
            .slice(SHOWN)
            .map(([, name]) => name)
            .join(', ')}
        >
          {t('here.more', { count: all.length - SHOWN })}
        </li>
      )}
    </ul>
  );
}
