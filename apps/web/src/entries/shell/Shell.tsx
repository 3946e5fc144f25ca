import { Suspense, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useProfile } from '../../lib/profile.ts';
import { AnnouncementButton } from '../../features/announcements/reader/index.ts';
import { HeaderDownload } from '../../features/clientPackages/header/index.ts';
import { NoticeBell } from '../../features/notices/centre/index.ts';
import { AllReleaseNotes } from '../../features/releaseNotes/index.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { LanguageSwitch } from '../../ui/LanguageSwitch.tsx';
import { ScreenFallback } from '../../ui/screenFallback.tsx';
import { CrashGuard } from '../../ui/states.tsx';
import { ThemeProvider } from '../../ui/ThemeProvider.tsx';
import { useAccent } from '../../ui/accent.ts';
import { useMenu } from '../menu/useMenu.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { Greetings } from './Greetings.tsx';
import { HelpLink } from './HelpLink.tsx';
import { Sidebar } from './Sidebar.tsx';
import { rememberSidebar, wasSidebarOpen } from './sidebarCookie.ts';
import { useSessionEvents } from './useSessionEvents.ts';
import './shell.css';

/** The main layout: sidebar (a drawer on phones), header, and the page. */
export function Shell() {
  const t = useTexts('common');
  const { pathname } = useLocation();
  const [open, setOpen] = useState(wasSidebarOpen);
  const [showsNotes, setShowsNotes] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);
  const profile = useProfile();
  const { items } = useMenu();
  useSessionEvents();
  useAccent(profile?.branding.colour ?? null);

  const toggle = () => {
    rememberSidebar(!open);
    setOpen(!open);
  };
  const closeDrawer = () => drawer.current?.close();

  return (
    <div className="shell">
      <a
        className="shell-skip"
        href="#main"
        onClick={(event) => {
          // The hash is used for routing, so the jump is done by code.
          event.preventDefault();
          document.querySelector<HTMLElement>('#main')?.focus();
        }}
      >
        {t('shell.skip')}
      </a>
      <aside className="shell-side">
        <Sidebar items={items} open={open} />
      </aside>
      <dialog
        ref={drawer}
        className="shell-drawer"
        aria-label={t('shell.main')}
        onClick={(event) => event.target === drawer.current && closeDrawer()}
      >
        <Sidebar items={items} open onNavigate={closeDrawer} />
        <IconButton icon="close" label={t('close')} className="shell-drawer-close" onClick={closeDrawer} />
      </dialog>
      <Header
        open={open}
        onToggle={toggle}
        onOpenDrawer={() => drawer.current?.showModal()}
        onNotes={() => setShowsNotes(true)}
      />
      <main id="main" className="shell-main" tabIndex={-1}>
        <CrashGuard key={pathname}>
          <Suspense fallback={<ScreenFallback />}>
            <ThemeProvider accent={profile?.branding.colour ?? null}>
              <Outlet />
            </ThemeProvider>
          </Suspense>
        </CrashGuard>
      </main>
      <Greetings />
      {showsNotes && <AllReleaseNotes onClose={() => setShowsNotes(false)} />}
    </div>
  );
}

interface HeaderProps {
  /** Whether the sidebar shows text. */
  open: boolean;
  onToggle: () => void;
  onOpenDrawer: () => void;
  /** Shows the release notes. */
  onNotes: () => void;
}

function Header({ open, onToggle, onOpenDrawer, onNotes }: HeaderProps) {
  const t = useTexts('common');
  const profile = useProfile();
  const accent = profile?.branding.colour ?? null;
  return (
    <header className="shell-header">
      <IconButton
        icon={open ? 'collapse' : 'expand'}
        label={t(open ? 'shell.collapse' : 'shell.expand')}
        className="only-wide"
        aria-expanded={open}
        data-testid="sidebar-toggle"
        onClick={onToggle}
      />
      <IconButton
        icon="menu"
        label={t('shell.openMenu')}
        className="only-phone"
        data-testid="nav-open"
        onClick={onOpenDrawer}
      />
      <span className="shell-tenant">{system === 'user' ? profile?.tenantName : t(`shell.${system}Title`)}</span>
      <HeaderDownload />
      {system !== 'admin' && <AnnouncementButton accent={accent} />}
      {system !== 'admin' && <NoticeBell accent={accent} />}
      <HelpLink />
      <LanguageSwitch />
      <AccountMenu onNotes={onNotes} />
    </header>
  );
}
