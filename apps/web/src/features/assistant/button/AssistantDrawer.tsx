import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { useProfile } from '../../../lib/profile.ts';
import { SideDrawer } from '../../../ui/SideDrawer.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { ThemeProvider } from '../../../ui/ThemeProvider.tsx';
import { isCloseMessage } from './closeMessage.ts';

/** What the page in the frame may do; it may not lead this page elsewhere. */
const SANDBOX =
  'allow-scripts allow-same-origin allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox';

/** The drawer with the page of the assistant: the product's own, or that of the organisation. */
export function AssistantDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts('assistant');
  const accent = useProfile()?.branding.colour ?? null;
  return (
    <ThemeProvider accent={accent}>
      <SideDrawer title={t('title')} open={open} onClose={onClose} help="assistant" testId="assistant-drawer">
        <div className="assistant-drawer-body">
          <Page onClose={onClose} />
        </div>
      </SideDrawer>
    </ThemeProvider>
  );
}

function Page({ onClose }: { onClose: () => void }) {
  const t = useTexts('assistant');
  // Addresses of outside pages are valid for minutes: another one each time the drawer opens.
  const page = useQuery({
    queryKey: ['assistant', 'session'],
    queryFn: () => api.assistant.session({ body: { type: 1, channelResource: 'itbot' } }),
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    meta: { quiet: true },
  });
  if (page.data !== undefined) return <Frame address={page.data} onClose={onClose} />;
  if (page.isPending) return <Loading />;
  const why = sentenceOf(page.error);
  return (
    <ErrorState title={t('failed')} {...(why === undefined ? {} : { hint: why })} retry={() => void page.refetch()} />
  );
}

function Frame({ address, onClose }: { address: string; onClose: () => void }) {
  const t = useTexts('assistant');
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoading, setLoading] = useState(true);

  useEffect(() => {
    const { origin } = new URL(address, location.href);
    const follow = (event: MessageEvent) => {
      if (isCloseMessage(event, { window: frame.current?.contentWindow ?? null, origin })) onClose();
    };
    window.addEventListener('message', follow);
    return () => window.removeEventListener('message', follow);
  }, [address, onClose]);

  return (
    <>
      {isLoading && <Loading />}
      <iframe
        ref={frame}
        className="assistant-frame"
        title={t('frame')}
        src={address}
        sandbox={SANDBOX}
        referrerPolicy="no-referrer"
        data-loading={isLoading}
        data-testid="assistant-frame"
        onLoad={() => setLoading(false)}
      />
    </>
  );
}
