import { Component, useEffect, type ReactNode } from 'react';
import { chunkErrorOf } from '../lib/chunks.ts';
import { keepDrafts, reloadKeepingDrafts } from '../lib/keptDrafts.ts';
import { text, useTexts } from '../lib/i18n/index.ts';
import { Button } from './Button.tsx';
import './states.css';

/** Something is loading. Appears only after a moment, so that fast loads do not flicker. */
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

/** An empty state, with a hint about what to do. */
export function EmptyState({
  title,
  hint,
  picture = 'calendar',
  children,
}: StateProps & { picture?: 'calendar' | 'list' }) {
  return (
    <div className="state" role="status" data-testid="state-empty">
      {picture === 'calendar' ? <EmptyCalendar /> : <EmptyList />}
      <p className="state-title">{title}</p>
      {hint !== undefined && <p className="state-hint">{hint}</p>}
      {children}
    </div>
  );
}

/** An error; `retry` tries again. */
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

/** A page with a single message: not found, not allowed. */
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

interface Crash {
  isChunk: boolean;
}

/**
 * Catches errors that a page throws while rendering (a chunk that fails to load, a defect) and offers a reload, keeping
 * typed data.
 */
export class CrashGuard extends Component<{ children: ReactNode }, { crash: Crash | null }> {
  override state: { crash: Crash | null } = { crash: null };

  static getDerivedStateFromError(error: unknown): { crash: Crash } {
    return { crash: { isChunk: chunkErrorOf(error) !== null } };
  }

  /** The forms that unmount with the page can still be read at this point. */
  override componentDidCatch(): void {
    keepDrafts();
  }

  override render(): ReactNode {
    const { crash } = this.state;
    if (crash === null) return this.props.children;
    return (
      <MessagePage
        title={text(crash.isChunk ? 'errors.chunkFailed' : 'errors.crashed')}
        hint={text(crash.isChunk ? 'errors.chunkHint' : 'errors.crashedHint')}
      >
        <Button kind="primary" data-testid="crash-reload" onClick={reloadKeepingDrafts}>
          {text(crash.isChunk ? 'errors.reloadKeeping' : 'errors.reload')}
        </Button>
      </MessagePage>
    );
  }
}

function EmptyList() {
  return (
    <svg width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden="true">
      <rect x="10" y="6" width="52" height="44" rx="5" fill="#e9eef4" stroke="#b8c4d1" strokeWidth="1.5" />
      <path d="M10 17h52M10 28h52M10 39h52" stroke="#b8c4d1" strokeWidth="1.5" />
      <path
        d="M18 11.500h10M18 22.500h6M18 33.500h6M18 44.500h6M32 22.500h20M32 33.500h14M32 44.500h20"
        stroke="#8592a1"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}

function EmptyCalendar() {
  return (
    <svg width="72" height="56" viewBox="0 0 72 56" fill="none" aria-hidden="true">
      <rect x="10" y="10" width="52" height="38" rx="5" fill="#e9eef4" stroke="#b8c4d1" strokeWidth="1.5" />
      <path d="M10 21h52" stroke="#b8c4d1" strokeWidth="1.5" />
      <path d="M22 5v9M50 5v9" stroke="#8592a1" strokeWidth="2" strokeLinecap="round" />
      <path d="M26 34h20" stroke="#8592a1" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
