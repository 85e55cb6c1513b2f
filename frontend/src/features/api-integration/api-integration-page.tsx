export function ApiIntegrationPage() {
  return <main />;
}
