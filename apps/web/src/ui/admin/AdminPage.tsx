import { useEffect, type ReactNode } from 'react';
import './texts.ts';
import './admin.css';

interface AdminPageProps {
  title: string;
  /** Next to the title: buttons that create something. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the manage or admin system: its title, what can be made, its content. */
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
