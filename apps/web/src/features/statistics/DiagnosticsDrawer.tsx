import { diagnostics, pathOf } from '@rmeet/contract';
import { useMutation } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n/index.ts';
import { saveTextFile } from '../../lib/textFile.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/icons.tsx';
import { SideDrawer } from '../../ui/SideDrawer.tsx';

const FILES = {
  bundle: pathOf(diagnostics.bundle, {}),
  log: pathOf(diagnostics.log, { query: {} }),
  summary: pathOf(diagnostics.summary, {}),
} as const;
const KINDS = ['bundle', 'log', 'summary'] as const;

/** Files for support, without secrets. */
export function DiagnosticsDrawer({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTexts('statistics');
  return (
    <SideDrawer title={t('diagnostics.title')} open={open} onClose={onClose} testId="diagnostics-drawer">
      <p>{t('diagnostics.text')}</p>
      <ul className="statistics-files">
        {KINDS.map((kind) => (
          <li key={kind}>
            <FileOffer kind={kind} />
          </li>
        ))}
      </ul>
    </SideDrawer>
  );
}

function FileOffer({ kind }: { kind: (typeof KINDS)[number] }) {
  const t = useTexts('statistics');
  const { mutate, isPending } = useMutation({ mutationFn: () => saveTextFile(FILES[kind]) });
  return (
    <>
      <div>
        <strong>{t(`diagnostics.${kind}.title`)}</strong>
        <p>{t(`diagnostics.${kind}.text`)}</p>
      </div>
      <Button
        busy={isPending}
        aria-label={t('diagnostics.save', { name: t(`diagnostics.${kind}.title`) })}
        data-testid={`diagnostics-${kind}`}
        onClick={() => mutate()}
      >
        <Icon name="download" />
        {t('diagnostics.download')}
      </Button>
    </>
  );
}
