import { PUSH_TARGETS, type Broadcast, type ProviderConfig } from '@rmeet/contract';
import { useState } from 'react';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { CopiedAddress } from './CopiedAddress.tsx';
import { bodyOf, draftOf, errorsOf, type TargetDraft } from './draft.ts';
import { IngestAddressFields } from './IngestAddressFields.tsx';
import { useProviderConfig, useTargetChange } from './queries.ts';
import { TargetFields } from './TargetFields.tsx';
import { useT } from './texts.ts';
import '../list/dialog.css';
import './targets.css';

interface TargetsDialogProps {
  broadcast: Pick<Broadcast, 'id' | 'subject'>;
  /** May change where it is pushed to. */
  canSwitch: boolean;
  onClose: () => void;
}

/** Shows where a broadcast can be played, and changes where it is pushed to, also while it is on air. */
export function TargetsDialog({ broadcast: { id, subject }, canSwitch, onClose }: TargetsDialogProps) {
  const t = useT();
  const config = useProviderConfig(id);
  return (
    <div className="live-dialog">
      <Dialog title={t('title')} testId="live-targets" onClose={onClose}>
        <p className="live-dialog-subject">{subject}</p>
        {config.data ? (
          <>
            {config.data.ingest !== null && <IngestAddressFields ingest={config.data.ingest} />}
            <PlayAddresses play={config.data.play} />
            <Targets id={id} config={config.data} canSwitch={canSwitch} onClose={onClose} />
          </>
        ) : config.isPending ? (
          <Loading />
        ) : (
          <ErrorState retry={() => void config.refetch()} />
        )}
      </Dialog>
    </div>
  );
}

function PlayAddresses({ play }: { play: ProviderConfig['play'] }) {
  const t = useT();
  return (
    <section className="live-addresses" aria-label={t('play')}>
      <h3>{t('play')}</h3>
      <CopiedAddress label={t('page')} address={play.page} testId="play-page" />
      <CopiedAddress label={t('hls')} hint={t('hlsHint')} address={play.hls} testId="play-hls" />
    </section>
  );
}

interface TargetsProps {
  id: string;
  config: ProviderConfig;
  canSwitch: boolean;
  onClose: () => void;
}

function Targets({ id, config: { push }, canSwitch, onClose }: TargetsProps) {
  const t = useT();
  const common = useTexts('common');
  const change = useTargetChange(id);
  const [drafts, setDrafts] = useState<TargetDraft[]>(() => push.map((target) => draftOf(target)));
  const [isChecked, setChecked] = useState(false);
  const put = (row: number, part: Partial<TargetDraft>) =>
    setDrafts((all) => all.map((one) => (one.row === row ? { ...one, ...part } : one)));
  const save = () => {
    setChecked(true);
    if (drafts.some((draft) => Object.keys(errorsOf(draft)).length > 0)) return;
    change.mutate(drafts.map(bodyOf), {
      onSuccess: () => {
        toast('success', () => t('saved'));
        onClose();
      },
    });
  };
  return (
    <form
      className="live-targets"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3>{t('push')}</h3>
      <p className="live-dialog-subject">{t('pushLead', { max: PUSH_TARGETS })}</p>
      {drafts.length === 0 && <p data-testid="targets-none">{t(canSwitch ? 'none' : 'noneLocked')}</p>}
      {drafts.map((draft, index) => (
        <TargetFields
          key={draft.row}
          number={index + 1}
          draft={draft}
          now={push.find((target) => target.id === draft.id)}
          errors={isChecked ? errorsOf(draft) : {}}
          isLocked={!canSwitch}
          onChange={(part) => put(draft.row, part)}
          onRemove={() => setDrafts((all) => all.filter(({ row }) => row !== draft.row))}
        />
      ))}
      {canSwitch && drafts.length < PUSH_TARGETS && (
        <Button data-testid="target-add" onClick={() => setDrafts((all) => [...all, draftOf()])}>
          {t('add')}
        </Button>
      )}
      <div className="live-dialog-buttons">
        <Button onClick={onClose}>{common(canSwitch ? 'cancel' : 'close')}</Button>
        {canSwitch && (
          <Button kind="primary" type="submit" busy={change.isPending} data-testid="targets-save">
            {common('save')}
          </Button>
        )}
      </div>
    </form>
  );
}
