import { USER_MANAGE_TYPES } from '@rmeet/contract';
import { useLocation } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { highlightOf } from '../menu/highlight.ts';
import { ManualLink } from './HelpLink.tsx';
import { SidebarItem, SidebarLink } from './SidebarItem.tsx';
import { SidebarLogo } from './SidebarLogo.tsx';
import { useActivity } from './useActivity.ts';
import type { MenuItem } from '../menu/menu.ts';

/** The groups of the sidebar in order; the admin app has only one. */
const GROUPS = [
  { type: USER_MANAGE_TYPES.meeting, label: 'groupMeeting' },
  { type: USER_MANAGE_TYPES.management, label: 'groupManagement' },
  { type: USER_MANAGE_TYPES.classroom, label: 'groupClassroom' },
  { type: USER_MANAGE_TYPES.live, label: 'groupLive' },
] as const;

/** Logo and groups of entries. Collapsed, it shows icons with tooltips. */
export function Sidebar({
  items,
  open,
  onNavigate,
}: {
  items: readonly MenuItem[];
  open: boolean;
  onNavigate?: () => void;
}) {
  const t = useTexts('common');
  const shown = items.filter((item) => !item.hidden);
  const dots = useActivity(shown);
  const highlight = highlightOf(items, useLocation().pathname);
  const groups =
    system === 'admin'
      ? [{ label: 'groupPlatform', items: shown } as const]
      : GROUPS.map(({ type, label }) => ({ label, items: shown.filter((item) => item.group === type) }));

  return (
    <div className={open ? 'sidebar sidebar-open' : 'sidebar'}>
      <SidebarLogo open={open} onNavigate={onNavigate} />
      <nav aria-label={t('shell.main')}>
        {groups.map((group) => {
          const joins = system === 'user' && group.label === 'groupMeeting';
          if (group.items.length === 0 && !joins) return null;
          return (
            <section key={group.label} aria-label={t(`shell.${group.label}`)}>
              {open && <p className="sidebar-group">{t(`shell.${group.label}`)}</p>}
              <ul>
                {group.items.map((item) => (
                  <SidebarItem
                    key={item.id}
                    item={item}
                    open={open}
                    dots={dots}
                    highlight={highlight}
                    onNavigate={onNavigate}
                  />
                ))}
                {joins && (
                  <li>
                    <SidebarLink
                      to="/join"
                      label={t('shell.join')}
                      icon="enter"
                      open={open}
                      onNavigate={onNavigate}
                      testId="nav-join"
                    />
                  </li>
                )}
              </ul>
            </section>
          );
        })}
        <ManualLink open={open} onNavigate={onNavigate} />
      </nav>
    </div>
  );
}
