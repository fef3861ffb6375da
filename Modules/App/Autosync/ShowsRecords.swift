/// A command that shows records, for which news is fetched in the background where the last sync is older than a minute:
/// the next one shows them.
protocol ShowsRecords {}

extension ListingRequest: ShowsRecords {}
extension ListCommand: ShowsRecords {}
extension ShowCommand: ShowsRecords {}
extension DayRequest: ShowsRecords {}
extension TodayCommand: ShowsRecords {}
extension WeekCommand: ShowsRecords {}
extension StatsCommand: ShowsRecords {}
extension CalendarCommand: ShowsRecords {}
extension TrendCommand: ShowsRecords {}
extension StreaksCommand: ShowsRecords {}
extension InsightsCommand: ShowsRecords {}
extension ReportCommand: ShowsRecords {}
