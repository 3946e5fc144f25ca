import { useEffect, type ReactNode } from 'react';
import './texts.ts';
import './admin.css';

interface AdminPageProps {
  title: string;
  /** Beside the title: buttons that create something. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the manage or admin system: title, create buttons, content. */
export function AdminPage({ title, actions, children }: AdminPageProps) {
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  return (
    <div className="admin-page">
      <header className="admin-header">
        <h1>{title}</h1>
        {actions}
      </header>
      {children}
    </div>
  );
}
