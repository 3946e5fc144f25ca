import { Component, useEffect, type ReactNode } from 'react';
import { text, useTexts } from '../lib/i18n/index.ts';
import { Button } from './Button.tsx';
import './states.css';

/** Something is on its way. Shows itself only after a moment, so that quick loads do not flicker. */
export function Loading() {
  const t = useTexts('common');
  return (
    <div className="state state-loading" role="status">
      <span className="state-spinner" aria-hidden="true" />
      <span className="visually-hidden">{t('loading')}</span>
    </div>
  );
}

interface StateProps {
  title: string;
  hint?: string;
  children?: ReactNode;
}

/** Nothing there, with what to do about it. */
export function EmptyState({ title, hint, children }: StateProps) {
  return (
    <div className="state" role="status" data-testid="state-empty">
      <EmptyPicture />
      <p className="state-title">{title}</p>
      {hint !== undefined && <p className="state-hint">{hint}</p>}
      {children}
    </div>
  );
}

/** It failed; `retry` tries again. */
export function ErrorState({ title, hint, retry }: { title?: string; hint?: string; retry: () => void }) {
  const t = useTexts('common');
  return (
    <div className="state" role="alert" data-testid="state-error">
      <p className="state-title">{title ?? t('errors.loadFailed')}</p>
      <p className="state-hint">{hint ?? t('errors.loadFailedHint')}</p>
      <Button onClick={retry} data-testid="state-retry">
        {t('retry')}
      </Button>
    </div>
  );
}

/** A page of its own that says one thing: not found, not allowed. */
export function MessagePage({ title, hint, children }: StateProps) {
  useEffect(() => {
    document.title = `${title} · Rmeet`;
  }, [title]);
  return (
    <main className="state state-page">
      <h1 className="state-title">{title}</h1>
      {hint !== undefined && <p className="state-hint">{hint}</p>}
      {children}
    </main>
  );
}

/** Catches what a page throws while drawing (a chunk that does not load, a defect) and offers to reload. */
export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false };

  static getDerivedStateFromError(): { crashed: boolean } {
    return { crashed: true };
  }

  override render(): ReactNode {
    if (!this.state.crashed) return this.props.children;
    return (
      <MessagePage title={text('errors.crashed')} hint={text('errors.crashedHint')}>
        <Button kind="primary" onClick={() => location.reload()}>
          {text('errors.reload')}
        </Button>
      </MessagePage>
    );
  }
}

function EmptyPicture() {
  return (
    <svg width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden="true">
      <rect x="10" y="10" width="52" height="38" rx="5" fill="#e9eef4" stroke="#b8c4d1" strokeWidth="1.5" />
      <path d="M10 21h52" stroke="#b8c4d1" strokeWidth="1.5" />
      <path d="M22 5v9M50 5v9" stroke="#8592a1" strokeWidth="2" strokeLinecap="round" />
      <path d="M26 34h20" stroke="#8592a1" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
