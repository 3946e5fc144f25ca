export type SettingsTab = 'audio' | 'video' | 'general' | 'statistics';
