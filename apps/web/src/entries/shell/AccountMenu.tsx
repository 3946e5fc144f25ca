import type { Profile } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { useAccess } from '../../lib/access.ts';
import { session, system } from '../../lib/browser.ts';
import { isClientShell, isClientSource } from '../../lib/clientShell.ts';
import { isDownloadShown } from '../../features/clientPackages/header/index.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { useProfile } from '../../lib/profile.ts';
import { signOut } from '../../lib/signOut.ts';
import { Icon } from '../../ui/icons.tsx';
import { useHangingMenu } from '../../ui/useHangingMenu.ts';
import { FIXED_NUMBER, mayManage, useFixedNumberShown } from '../menu/useMenu.ts';

/** The avatar with the user's name, which links to the profile page, and a menu that opens on hover and focus. */
export function AccountMenu({ onNotes }: { onNotes: () => void }) {
  const t = useTexts('common');
  const { open, setOpen, root, toggle, onToggle, events } = useHangingMenu();
  const profile = useProfile();
  if (!profile) return null;
  return (
    <div ref={root} className="account" {...events}>
      <Link to="/userInfo" className="account-button" data-testid="account-name">
        <span className="account-avatar" aria-hidden="true">
          {initial(profile.name)}
        </span>
        <span className="account-name">{profile.name}</span>
        <span className="visually-hidden">{t('shell.userInfo')}</span>
      </Link>
      <button
        ref={toggle}
        type="button"
        className="account-toggle"
        aria-expanded={open}
        aria-label={t('shell.account')}
        data-testid="account-menu"
        onClick={onToggle}
      >
        <Icon name="down" />
      </button>
      {open && <MenuItems profile={profile} onNotes={onNotes} onClose={() => setOpen(false)} />}
    </div>
  );
}

interface MenuItemsProps {
  profile: Profile;
  /** Shows the release notes. */
  onNotes: () => void;
  onClose: () => void;
}

function MenuItems({ profile, onNotes, onClose }: MenuItemsProps) {
  const t = useTexts('common');
  const navigate = useNavigate();
  const hasNumber = useFixedNumberShown();
  const logout = useMutation({
    mutationFn: signOut,
    onSuccess: (isLeaving) => {
      if (!isLeaving) void navigate('/login');
    },
  });
  const inShell = isClientShell(navigator.userAgent);
  const fromClient = inShell && isClientSource(session.note('source'));
  const leave = () => {
    if (fromClient) void navigate('/logout');
    else logout.mutate();
  };
  return (
    <div className="account-hanging">
      <ul className="account-menu">
        <li className="account-who">
          <strong>{profile.name}</strong>
          <span>{profile.tenantName}</span>
        </li>
        <li>
          <Link to="/userInfo" data-testid="to-user-info" onClick={onClose}>
            {t('shell.userInfo')}
          </Link>
        </li>
        {hasNumber && (
          <li>
            <Link to={FIXED_NUMBER} data-testid="to-fixed-number" onClick={onClose}>
              {t('shell.fixedNumber')}
            </Link>
          </li>
        )}
        <DownloadItem onClose={onClose} />
        <OtherApp mayLeave={!inShell || fromClient} />
        <NotesItem onNotes={onNotes} onClose={onClose} />
        <li>
          <button type="button" disabled={logout.isPending} data-testid="logout" onClick={leave}>
            {t('shell.logout')}
          </button>
        </li>
      </ul>
    </div>
  );
}

/** The way to the other app: from the user app to the management, and back. */
function OtherApp({ mayLeave }: { mayLeave: boolean }) {
  const t = useTexts('common');
  const access = useAccess();
  if (system === 'manage')
    return (
      <li>
        <a href="/" data-testid="to-user">
          {t('shell.toUser')}
        </a>
      </li>
    );
  if (system !== 'user' || access === null || !mayManage(access) || !mayLeave) return null;
  return (
    <li>
      <a href="/manage/" data-testid="to-manage">
        {t('shell.toManage')}
      </a>
    </li>
  );
}

/** Opens the release notes. */
function NotesItem({ onNotes, onClose }: Omit<MenuItemsProps, 'profile'>) {
  const t = useTexts('common');
  return (
    <li>
      <button
        type="button"
        data-testid="to-release-notes"
        onClick={() => {
          onClose();
          onNotes();
        }}
      >
        {t('shell.releaseNotes')}
      </button>
    </li>
  );
}

/** The way to the packages of the clients on phones, where the header has no room for it. */
function DownloadItem({ onClose }: { onClose: () => void }) {
  const t = useTexts('common');
  if (!isDownloadShown({ userAgent: navigator.userAgent, source: session.note('source') })) return null;
  return (
    <li className="account-download">
      <Link to="/clientDownload" data-testid="account-download" onClick={onClose}>
        {t('shell.download')}
      </Link>
    </li>
  );
}

/** The first character of a name with its combining marks. (Firefox 115 has no Intl.Segmenter.) */
function initial(name: string): string {
  return /^\P{M}\p{M}*/u.exec(name.trim())?.[0].toLocaleUpperCase() ?? '';
}
