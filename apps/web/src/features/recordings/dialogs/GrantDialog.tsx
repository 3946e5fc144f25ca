import type { RecordingDetail } from '@rmeet/contract';
import { useId } from 'react';
import { toast } from '../../../lib/notify.ts';
import { SwitchField } from '../../../ui/admin/SwitchField.tsx';
import { Button } from '../../../ui/Button.tsx';
import { PersonSearch } from '../../../ui/grants/PersonSearch.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useGrant, useRecording, useRecordingChange } from '../queries.ts';
import { useT } from '../texts.ts';
import { RecordingDialog, type RecordingDialogProps } from './RecordingDialog.tsx';

/** Who may watch the recordings of a meeting besides its host, and what they may do; everything applies at once. */
export function GrantDialog({ recording, onClose }: RecordingDialogProps) {
  const t = useT();
  const detail = useRecording(recording.id);
  return (
    <RecordingDialog title={t('grant.title')} testId="grant-dialog" onClose={onClose}>
      {detail.data ? (
        <Grants recording={detail.data} />
      ) : detail.isPending ? (
        <Loading />
      ) : (
        <ErrorState retry={() => void detail.refetch()} />
      )}
    </RecordingDialog>
  );
}

function Grants({ recording: { id, meetId, host, granted, setting } }: { recording: RecordingDetail }) {
  const t = useT();
  const label = useId();
  const grant = useGrant(meetId);
  const ids = granted.map(({ userId }) => userId);
  return (
    <>
      <p className="recording-lead">{t('grant.lead', { host: host.name })}</p>
      <h3 id={label} className="visually-hidden">
        {t('grant.people')}
      </h3>
      <PersonSearch
        labelledBy={label}
        without={new Set([host.userId, ...ids])}
        disabled={grant.isPending}
        onPick={({ userId, name }) =>
          grant.mutate([...ids, userId], { onSuccess: () => toast('success', () => t('grant.added', { name })) })
        }
      />
      {granted.length === 0 ? (
        <p className="recording-none">{t('grant.none')}</p>
      ) : (
        <ul className="grant-list">
          {granted.map(({ userId, name }) => (
            <li key={userId} data-testid="granted">
              <span>{name}</span>
              <Button
                kind="quiet"
                busy={grant.isPending}
                aria-label={t('grant.removeOf', { name })}
                data-testid="grant-remove"
                onClick={() =>
                  grant.mutate(
                    ids.filter((one) => one !== userId),
                    { onSuccess: () => toast('success', () => t('grant.removed', { name })) },
                  )
                }
              >
                {t('grant.remove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Settings id={id} setting={setting} />
    </>
  );
}

/** What those who may watch it may do, and what they see. */
function Settings({ id, setting }: Pick<RecordingDetail, 'id' | 'setting'>) {
  const t = useT();
  const change = useRecordingChange(id);
  return (
    <>
      <SwitchField
        label={t('grant.download')}
        hint={t('grant.downloadHint')}
        checked={setting.download}
        disabled={change.isPending}
        testId="setting-download"
        onChange={(download) => change.mutate({ setting: { ...setting, download } })}
      />
      <SwitchField
        label={t('grant.watermark')}
        hint={t('grant.watermarkHint')}
        checked={setting.watermark}
        disabled={change.isPending}
        testId="setting-watermark"
        onChange={(watermark) => change.mutate({ setting: { ...setting, watermark } })}
      />
    </>
  );
}
