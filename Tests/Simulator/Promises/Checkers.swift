/// One checker for every promise, each of its own: none knows of the others, or of how engines work.
func makeCheckers(devices: Int) -> [any PromiseChecker] {
    [
        DurableChecker(), ExactlyOnceChecker(), NothingVanishesChecker(devices: devices), OrderChecker(),
        CursorChecker(devices: devices), NoResurrectionChecker(), RebaseChecker(),
        OutOfOrderFeedChecker(), ConvergenceChecker(), BootstrapChecker(devices: devices), SingleFlightChecker(),
        PoliteChecker(devices: devices), CancellableChecker(), SignedOutChecker(),
        WholeWriteChecker(), ParentsFirstChecker(), TakenFieldsChecker(), ListedConflictsChecker(),
        LeaseTakeoverChecker(), SignedOutQueueChecker(), OneKeyChecker(),
        OvertakingChecker(), PutAsideChecker(devices: devices), TakeoverChecker(), MadeConflictsChecker(),
        RevisionChecker(devices: devices), OneRequestChecker(), LostEditChecker(),
        OnePayloadChecker(), KeptEditsChecker(), GivenUpChecker(), TakenBackChecker(), RoutesChecker(), MarkChecker(),
        CorrectionChecker(), FreedNameChecker(),
    ]
}
