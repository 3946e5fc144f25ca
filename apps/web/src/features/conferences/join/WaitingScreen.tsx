import type { LocalMedia } from '../../../call/index.ts';
import { Button } from '../../../ui/Button.tsx';
import { Logo } from '../../../ui/Logo.tsx';
import { useT } from '../texts.ts';
import { Preview } from './Preview.tsx';

/** Shown until the host lets one in or refuses; entering then happens by itself. */
export function WaitingScreen({ local, onLeave }: { local: LocalMedia; onLeave: () => void }) {
  const t = useT();
  return (
    <div className="join">
      <header className="join-header">
        <Logo open />
      </header>
      <main className="join-main">
        <Preview local={local} />
        <section className="join-card" data-testid="waiting-room">
          <div className="waiting-dots" aria-hidden="true">
            <span />
            <span />
            <span />
          </div>
          <h1>{t('waiting.title')}</h1>
          <p role="status" className="join-lead">
            {t('waiting.hint')}
          </p>
          <Button large data-testid="waiting-leave" onClick={onLeave}>
            {t('waiting.leave')}
          </Button>
        </section>
      </main>
    </div>
  );
}
