import { useEffect, type ReactNode } from 'react';
import { LanguageSwitch } from '../../../ui/LanguageSwitch.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import './texts.ts';
import '../login.css';

/** The card of pages between this product and identity providers. */
export function SsoCard({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="login">
      <header className="login-language">
        <LanguageSwitch />
      </header>
      <main className="login-card login-sso-page">
        <div className="login-brand">
          <Logo open />
        </div>
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  );
}
