import { isOwnPath, localName } from '@rmeet/contract';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { isIcon } from '../../ui/menu-icons.tsx';
import { appsQuery } from './queries.ts';
import './startApps.css';
import './texts.ts';

/** The apps of the start page in one row, which wraps; nothing if there are none. */
export function AppStrip() {
  const t = useTexts('startApps');
  const language = useLanguage();
  const apps = useQuery(appsQuery).data ?? [];
  if (apps.length === 0) return null;
  return (
    <nav className="app-strip" aria-label={t('title')} data-testid="start-apps">
      <ul>
        {apps.map(({ id, icon, url, ...names }) => (
          <li key={id}>
            <a
              href={url}
              title={localName(names, language)}
              data-testid="start-app"
              {...(isOwnPath(url) ? {} : { target: '_blank', rel: 'noopener noreferrer' })}
            >
              <AppIcon name={icon} />
              <span>{localName(names, language)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The icon of an app; a globe if this version of the product does not have it. */
export function AppIcon({ name }: { name: string }) {
  return <Icon name={isIcon(name) ? name : 'globe'} />;
}
