import TrendyApp

await TrendyMain.main()
