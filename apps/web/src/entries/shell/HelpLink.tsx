import { useLocation } from 'react-router';
import { session } from '../../lib/browser.ts';
import { useLanguage, useTexts } from '../../lib/i18n/index.ts';
import { isManualShown, manualLink } from '../../lib/manualLink.ts';
import { manualPageOf } from '../../lib/manual.ts';
import { Icon } from '../../ui/icons.tsx';
import { PageHelp } from '../../ui/PageHelp.tsx';
import { useMenu } from '../menu/useMenu.ts';

/** The link to the page of the manual that belongs to the page shown. */
export function HelpLink() {
  const { pathname } = useLocation();
  const { routes } = useMenu();
  const show = routes.find(({ path }) => path === pathname)?.show;
  const page = manualPageOf(pathname, show && 'page' in show ? show.page : null);
  return <PageHelp page={page} className="only-wide" testId="help-link" />;
}

/** The link to the manual at the end of the sidebar. */
export function ManualLink({ open, onNavigate }: { open: boolean; onNavigate: (() => void) | undefined }) {
  const t = useTexts('common');
  useLanguage();
  if (!isManualShown(navigator.userAgent, session.note('platform'))) return null;
  return (
    <ul className="sidebar-manual">
      <li>
        <a
          href={manualLink()}
          target="_blank"
          rel="noreferrer"
          title={open ? undefined : t('shell.manual')}
          aria-label={`${t('shell.manual')} ${t('shell.newTab')}`}
          data-testid="nav-manual"
          onClick={onNavigate}
        >
          <span className="sidebar-icon">
            <Icon name="help" />
          </span>
          <span className={open ? 'sidebar-label' : 'visually-hidden'}>{t('shell.manual')}</span>
        </a>
      </li>
    </ul>
  );
}
