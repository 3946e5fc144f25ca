import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../lib/api/index.ts';
import { session, system } from '../../lib/browser.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { queryClient } from '../../lib/query.ts';
import { Icon } from '../../ui/icons.tsx';

/** The avatar with the user's name, and what hangs on it. */
export function AccountMenu() {
  const t = useTexts('common');
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { user } = session;
  const logout = useMutation({
    mutationFn: () => api.auth.logout(),
    onSuccess: () => {
      session.clear();
      queryClient.clear();
      void navigate('/login');
    },
  });

  useEffect(() => {
    if (!open) return undefined;
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    document.addEventListener('focusin', closeOutside);
    return () => {
      document.removeEventListener('pointerdown', closeOutside);
      document.removeEventListener('focusin', closeOutside);
    };
  }, [open]);

  if (!user) return null;
  return (
    <div
      ref={root}
      className="account"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        ref={button}
        type="button"
        className="account-button"
        aria-expanded={open}
        data-testid="account-menu"
        onClick={() => setOpen(!open)}
      >
        <span className="account-avatar" aria-hidden="true">
          {initial(user.name)}
        </span>
        <span className="account-name">{user.name}</span>
        <span className="visually-hidden">{t('shell.account')}</span>
        <Icon name="down" />
      </button>
      {open && (
        <ul className="account-menu">
          <li className="account-who">
            <strong>{user.name}</strong>
            <span>{user.tenantName}</span>
          </li>
          {system === 'user' && user.isTenantAdmin && (
            <li>
              <a href="/manage/" data-testid="to-manage">
                {t('shell.toManage')}
              </a>
            </li>
          )}
          {system === 'manage' && (
            <li>
              <a href="/" data-testid="to-user">
                {t('shell.toUser')}
              </a>
            </li>
          )}
          <li>
            <button type="button" disabled={logout.isPending} data-testid="logout" onClick={() => logout.mutate()}>
              {t('shell.logout')}
            </button>
          </li>
        </ul>
      )}
    </div>
  );
}

/** The first character of a name, as people see it. */
function initial(name: string): string {
  const [first] = new Intl.Segmenter().segment(name.trim());
  return first?.segment.toLocaleUpperCase() ?? '';
}
