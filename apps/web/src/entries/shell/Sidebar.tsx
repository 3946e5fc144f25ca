import { Link, NavLink } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Icon } from '../../ui/icons.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { navigationOf } from './navigation.ts';

/** Logo and groups of entries. Collapsed it shows icons, their words as tooltips. */
export function Sidebar({ open, onNavigate }: { open: boolean; onNavigate?: () => void }) {
  const t = useTexts('common');
  return (
    <div className={open ? 'sidebar sidebar-open' : 'sidebar'}>
      <Link to="/" className="sidebar-logo" aria-label={t('productName')} onClick={onNavigate}>
        <Logo open={open} inverse />
      </Link>
      <nav aria-label={t('shell.main')}>
        {navigationOf(system).map((group) => (
          <section key={group.key} aria-label={t(`shell.${group.key}`)}>
            {open && <p className="sidebar-group">{t(`shell.${group.key}`)}</p>}
            <ul>
              {group.entries.map((entry) => {
                const label = t(`shell.${entry.key}`);
                return (
                  <li key={entry.path}>
                    <NavLink to={entry.path} title={open ? undefined : label} aria-label={label} onClick={onNavigate} data-testid={`nav-${entry.key}`}>
                      <Icon name={entry.icon} />
                      {open && <span>{label}</span>}
                    </NavLink>
                  </li>
                );
              })}
            </ul>
          </section>
        ))}
      </nav>
    </div>
  );
}
