export { AllReleaseNotes, ReleaseNotes } from './ReleaseNotes.tsx';
