import type { BroadcastDetail } from '@rmeet/contract';
import { useState } from 'react';
import { isApiError, reportError, sentenceOf } from '../../../lib/api/index.ts';
import { useTexts } from '../../../lib/i18n/index.ts';
import { toast } from '../../../lib/notify.ts';
import { lacksPassword, settingBody, type SettingDraft } from '../../../ui/broadcast/setting.ts';
import { SettingFields } from '../../../ui/broadcast/SettingFields.tsx';
import { useT as useBroadcastTexts } from '../../../ui/broadcast/texts.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { useBroadcast, useSettingChange } from '../queries.ts';
import { useT } from '../texts.ts';
import './dialog.css';

/** Changes how a broadcast can be watched, also while it is on air. */
export function SettingsDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT();
  const detail = useBroadcast(id);
  return (
    <div className="live-dialog">
      <Dialog title={t('settings.title')} testId="live-settings" onClose={onClose}>
        {detail.data ? (
          <Form broadcast={detail.data} onClose={onClose} />
        ) : detail.isPending ? (
          <Loading />
        ) : (
          <ErrorState retry={() => void detail.refetch()} />
        )}
      </Dialog>
    </div>
  );
}

function Form({ broadcast, onClose }: { broadcast: BroadcastDetail; onClose: () => void }) {
  const t = useT();
  const common = useTexts('common');
  const settings = useBroadcastTexts();
  const change = useSettingChange(broadcast.id);
  const [draft, setDraft] = useState<SettingDraft>(() => ({
    ...broadcast.setting,
    password: '',
    whiteList: broadcast.whiteList,
  }));
  const [error, setError] = useState<string>();
  const save = () => {
    if (lacksPassword(draft, broadcast.hasPassword)) {
      setError(settings('password.missing'));
      return;
    }
    change.mutate(settingBody(draft), {
      onSuccess: () => {
        toast('success', () => t('settings.saved'));
        onClose();
      },
      onError: (reason) => {
        if (isApiError(reason, 'BROADCAST_PASSWORD_REQUIRED')) setError(sentenceOf(reason));
        else reportError(reason);
      },
    });
  };
  return (
    <>
      <p className="live-dialog-subject">{broadcast.subject}</p>
      <SettingFields
        value={draft}
        hostId={broadcast.host.userId}
        hasPassword={broadcast.hasPassword}
        isOutside={broadcast.source !== 'conference'}
        error={error}
        onChange={(part) => {
          setError(undefined);
          setDraft((now) => ({ ...now, ...part }));
        }}
      />
      <div className="live-dialog-buttons">
        <Button onClick={onClose}>{common('cancel')}</Button>
        <Button kind="primary" busy={change.isPending} data-testid="live-settings-save" onClick={save}>
          {common('save')}
        </Button>
      </div>
    </>
  );
}
