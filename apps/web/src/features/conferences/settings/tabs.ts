export type SettingsTab = 'audio' | 'video' | 'general' | 'shortcuts' | 'statistics';
