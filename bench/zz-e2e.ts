import { launchBrowser, openPage, startServer, storeFor } from '@rmeet/testkit';
import { mkdirSync, readFileSync } from 'node:fs';
mkdirSync('/tmp/rec', { recursive: true });
const server = await startServer(); const browser = await launchBrowser();
const chair = await server.api.as('chair');
const m = await chair.meetings.createNetwork({ body: { subject: 'Ward round', startTime: new Date(Date.now() + 60000).toISOString(), duration: 60, password: '4821', autoRecord: true } });
const t0 = Date.now(); const log = (...a: unknown[]) => console.log(((Date.now() - t0) / 1000).toFixed(1), ...a);
const page = await openPage(browser, { locale: 'zh-CN', size: { width: 1440, height: 900 }, media: { colour: '#20a040', tone: 700 } });
await storeFor(page, server.url, { token: chair.token, loginUser: JSON.stringify(chair.user) });
page.on('pageerror', (e) => log('PAGEERROR', String(e))); page.on('console', (c) => c.type() === 'error' && log('CONSOLE', c.text().slice(0, 200)));
await page.goto(`${server.url}/#/join?number=${m.numericId}`); await page.getByTestId('join-submit').click(); await page.getByTestId('toolbar-leave').waitFor(); log('inside');
await page.getByTestId('recording-mark').waitFor({ timeout: 20000 }); log('mark');
const statusIs = async (w: string) => { const t = Date.now(); for (;;) { const x = await page.getByTestId('recording-mark').getAttribute('data-status').catch(() => null); if (x === w) { log(w, 'after', Date.now() - t, 'ms'); return; } if (Date.now() - t > 30000) { log('NOT', w, x); return; } await page.waitForTimeout(50); } };
await statusIs('RECORDING');
await page.screenshot({ path: '/tmp/rec/room.png' });
const bob = await openPage(browser, { locale: 'en-US', media: { colour: '#a04020', tone: 500 } });
await bob.goto(`${server.url}/#/join?number=${m.numericId}&pwd=4821&name=Bob`); await bob.getByTestId('join-submit').click(); await bob.getByTestId('toolbar-leave').waitFor(); await bob.waitForTimeout(1500); await bob.screenshot({ path: '/tmp/rec/bob.png' });
await page.waitForTimeout(8000);
await page.getByTestId('host-menu').click(); await page.screenshot({ path: '/tmp/rec/host.png' }); await page.getByTestId('host-record-pause').click(); await statusIs('PAUSED'); await page.waitForTimeout(3000); await page.screenshot({ path: '/tmp/rec/paused.png' });
await page.getByTestId('host-menu').click(); await page.getByTestId('host-record-resume').click(); await statusIs('RECORDING');
const rec = () => (JSON.parse(readFileSync(`${server.data}/run.json`, 'utf8')).recorders ?? [])[0]?.pid;
if (process.argv[2] === 'kill') { const pid = rec(); log('kill', pid); process.kill(pid, 'SIGKILL'); await page.waitForTimeout(300); await statusIs('RECORDING'); }
await page.waitForTimeout(Number(process.argv[3] ?? 10000));
await chair.conferences.end({ params: { meetId: m.meetId } } as never).catch((e: unknown) => log('end', String(e)));
const ended = Date.now();
for (let i = 0; i < 60; i++) { const { records } = await chair.recordings.queryRecord({ query: {} }); if (records[0]?.state === 'ready') { log('ready after', Date.now() - ended, 'ms', JSON.stringify(records[0])); break; } await page.waitForTimeout(500); }
await page.waitForTimeout(500); await page.screenshot({ path: '/tmp/rec/end.png' });
await page.goto(`${server.url}/#/record-meeting`); await page.waitForTimeout(2500); await page.screenshot({ path: '/tmp/rec/list.png' });
const { records } = await chair.recordings.queryRecord({ query: {} });
await page.goto(`${server.url}/#/record-details/${records[0]!.id}`); await page.waitForTimeout(4000); await page.screenshot({ path: '/tmp/rec/details.png' });
log(await page.evaluate("JSON.stringify([...document.querySelectorAll('video')].map((v) => [v.currentTime, v.duration, v.videoWidth, v.readyState, v.error && v.error.message]))"));
const det = await chair.recordings.timeline({ params: { id: records[0]!.id } }); log('gaps', JSON.stringify(det.gaps), 'speaking', JSON.stringify(det.speaking).slice(0, 300));
await page.evaluate("document.querySelector('video').play()").catch((e) => log(String(e))); await page.waitForTimeout(3000); await page.screenshot({ path: '/tmp/rec/playing.png' });
log(await page.evaluate("JSON.stringify([...document.querySelectorAll('video')].map((v) => [v.currentTime, v.duration, v.videoWidth, v.readyState]))"));
if (process.argv[4]) { await page.waitForTimeout(Number(process.argv[4])); log('later', await page.evaluate("JSON.stringify([...document.querySelectorAll('video')].map((v) => [v.currentTime, v.duration, v.paused, v.ended, v.readyState]))")); await page.screenshot({ path: '/tmp/rec/later.png' }); }
await browser.close(); await server.stop(); process.exit(0);
