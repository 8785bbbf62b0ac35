/** What a sealed QR or code belongs to. */
export function sealContext(onboardingId: string): string {
  return `onboarding ${onboardingId}`;
}
