import { localName } from '@rmeet/contract';
import { NavLink } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { Icon, type IconName } from '../../ui/icons.tsx';
import { isIcon } from '../../ui/menu-icons.tsx';
import type { MenuItem } from '../menu/menu.ts';

/** For an entry without an icon, or with one that this version does not have. */
const PLAIN_ICON: IconName = 'menu';

interface SidebarItemProps {
  item: MenuItem;
  open: boolean;
  /** Ids of the entries with activity. */
  dots: ReadonlySet<string>;
  /** The path of the entry that represents the open page, if that has no entry of its own. */
  highlight: string | undefined;
  onNavigate: (() => void) | undefined;
}

/** One entry, with its children. */
export function SidebarItem({ item, open, dots, highlight, onNavigate }: SidebarItemProps) {
  const t = useTexts('common');
  const language = useLanguage();
  // In the manage app, this page shows all meetings of the tenant instead of the user's own.
  const label = system === 'manage' && item.page === 'MyMeeting' ? t('shell.allMeetings') : localName(item, language);
  const children = item.children.filter((child) => !child.hidden);
  const link = {
    label,
    icon: isIcon(item.icon) ? item.icon : PLAIN_ICON,
    open,
    onNavigate,
    hasDot: dots.has(item.id),
    isHighlighted: item.url === highlight,
    testId: `nav-${item.page ?? item.id}`,
  };

  if (item.isExternal) {
    return (
      <li>
        <a
          href={item.url}
          target="_blank"
          rel="noreferrer"
          title={open ? undefined : label}
          aria-label={`${label} ${t('shell.newTab')}`}
          data-testid={link.testId}
          onClick={onNavigate}
        >
          <LinkBody {...link} />
        </a>
      </li>
    );
  }
  // A parent with a single page needs no level of its own.
  const isLeaf = item.url !== '' && (item.page !== null || children.length <= 1);
  return (
    <li>
      {isLeaf ? <SidebarLink to={item.url} {...link} /> : open && <p className="sidebar-parent">{label}</p>}
      {(item.page !== null || !isLeaf) && children.length > 0 && (
        <ul aria-label={label} className="sidebar-children">
          {children.map((child) => (
            <SidebarItem
              key={child.id}
              item={child}
              open={open}
              dots={dots}
              highlight={highlight}
              onNavigate={onNavigate}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

interface SidebarLinkProps {
  to: string;
  label: string;
  icon: IconName;
  open: boolean;
  hasDot?: boolean;
  isHighlighted?: boolean;
  onNavigate: (() => void) | undefined;
  testId: string;
}

export function SidebarLink({ to, testId, onNavigate, isHighlighted = false, ...body }: SidebarLinkProps) {
  return (
    <NavLink
      to={to}
      {...(isHighlighted ? { className: 'active' } : {})}
      title={body.open ? undefined : body.label}
      onClick={onNavigate}
      data-testid={testId}
    >
      <LinkBody {...body} />
    </NavLink>
  );
}

function LinkBody({ label, icon, open, hasDot = false }: Pick<SidebarLinkProps, 'label' | 'icon' | 'open' | 'hasDot'>) {
  const t = useTexts('common');
  return (
    <>
      <span className="sidebar-icon">
        <Icon name={icon} />
        {hasDot && <span className="sidebar-dot" data-testid="nav-dot" />}
      </span>
      <span className={open ? 'sidebar-label' : 'visually-hidden'}>{label}</span>
      {hasDot && <span className="visually-hidden">{t('shell.hasActivity')}</span>}
    </>
  );
}
